#include "spec/http/tests/gzip.hpp"

#define ZLIB_CONST  // input is not written to
#include <zlib.h>

#include <cstddef>
#include <vector>

namespace spec::http {

std::string gzip(std::string_view body) {
  constexpr int kGzipWindow = 15 + 16;
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    return {};
  }
  std::vector<Bytef> output(deflateBound(&stream, static_cast<uLong>(body.size())));
  stream.next_in = reinterpret_cast<const Bytef*>(body.data());
  stream.avail_in = static_cast<uInt>(body.size());
  stream.next_out = output.data();
  stream.avail_out = static_cast<uInt>(output.size());
  const int state = deflate(&stream, Z_FINISH);
  const std::size_t size = output.size() - stream.avail_out;
  deflateEnd(&stream);
  return state == Z_STREAM_END
             ? std::string(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(size))
             : std::string();
}

}  // namespace spec::http
