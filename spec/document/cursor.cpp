#include "spec/document/cursor.hpp"

#include <algorithm>

namespace spec::document {

Spot Cursor::locate(std::size_t offset) {
  offset = std::min(offset, text_.size());
  if (offset < at_) {
    at_ = 0;
    spot_ = {};
  }
  for (; at_ < offset; ++at_) {
    const char byte = text_[at_];
    const bool carriage_return =
        byte == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] != '\n');
    if (byte == '\n' || carriage_return) {
      ++spot_.line;
      spot_.column = 1;
    } else if ((static_cast<unsigned char>(byte) & 0xC0U) != 0x80U) {
      ++spot_.column;
    }
  }
  return spot_;
}

}  // namespace spec::document
