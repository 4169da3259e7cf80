#include "mock_server/invoice/invoice_canvas.hpp"

#include "spec/non_copyable.hpp"
#include "spec/process/data_root.hpp"
#include "spec/text/utf8.hpp"

#include <hpdf.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fribidi.h>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

namespace mock_server::invoice {

namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr char32_t kBox = 0x25A1;
constexpr char32_t kLastOfPlane = 0xFFFF;
constexpr char32_t kNoBreakMark = 0xFEFF;  // what is left where two letters became one

// Windows-1252 from 0x80 to 0x9F; 0 where it has nothing.
constexpr std::array<char32_t, 32> kWindowsHigh = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

std::optional<char> windows_1252(char32_t character) {
  if ((character >= 0x20 && character < 0x7F) || (character >= 0xA0 && character <= 0xFF)) {
    return static_cast<char>(static_cast<unsigned char>(character));
  }
  const auto* const found = std::ranges::find(kWindowsHigh, character);
  if (found == kWindowsHigh.end() || character == 0) {
    return std::nullopt;
  }
  return static_cast<char>(0x80 + (found - kWindowsHigh.begin()));
}

char32_t printable(char32_t character) {
  const bool control = character < 0x20 || (character >= 0x7F && character < 0xA0) ||
                       character == 0x2028 || character == 0x2029;
  if (control) {
    return U' ';
  }
  return character > kLastOfPlane ? kBox : character;
}

// Fills one line after the other.
class LineBreaker {
 public:
  LineBreaker(float width, const CharacterWidth& width_of) : width_(width), width_of_(width_of) {}

  void add_word(std::u32string_view word) {
    const float wide = width_of(word);
    const float gap = line_.empty() ? 0 : width_of_(U' ');
    if (used_ + gap + wide <= width_) {
      if (!line_.empty()) {
        line_ += U' ';
      }
      line_ += word;
      used_ += gap + wide;
      return;
    }
    end_line();
    add_characters(word);
  }

  std::vector<std::u32string> take() {
    end_line();
    if (lines_.empty()) {
      lines_.emplace_back();
    }
    return std::move(lines_);
  }

 private:
  float width_of(std::u32string_view word) const {
    float sum = 0;
    for (const char32_t character : word) {
      sum += width_of_(character);
    }
    return sum;
  }

  void add_characters(std::u32string_view word) {
    for (const char32_t character : word) {
      const float wide = width_of_(character);
      if (used_ + wide > width_) {
        end_line();
      }
      line_ += character;
      used_ += wide;
    }
  }

  void end_line() {
    if (!line_.empty()) {
      lines_.push_back(std::exchange(line_, {}));
    }
    used_ = 0;
  }

  float width_;
  const CharacterWidth& width_of_;
  std::vector<std::u32string> lines_;
  std::u32string line_;
  float used_ = 0;
};

}  // namespace

std::u32string code_points(std::string_view text) {
  std::u32string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = spec::text::utf8_sequence(text, at);
    result +=
        length == 0 ? kReplacement : printable(spec::text::decode_utf8(text.substr(at, length)));
    at += std::max<std::size_t>(length, 1);
  }
  return result;
}

std::vector<std::u32string> wrap(std::u32string_view text, float width,
                                 const CharacterWidth& width_of) {
  LineBreaker breaker(width, width_of);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(U' ', at), text.size());
    if (end > at) {
      breaker.add_word(text.substr(at, end - at));
    }
    at = end + 1;
  }
  return breaker.take();
}

std::u32string visual(const std::u32string& line) {
  const auto left_to_right = [](char32_t character) { return character < 0x0590; };
  if (std::ranges::all_of(line, left_to_right)) {
    return line;
  }
  const std::vector<FriBidiChar> logical(line.begin(), line.end());
  std::vector<FriBidiChar> drawn(line.size() + 1);
  FriBidiParType direction = FRIBIDI_PAR_ON;
  if (fribidi_log2vis(logical.data(), static_cast<FriBidiStrIndex>(logical.size()), &direction,
                      drawn.data(), nullptr, nullptr, nullptr) == 0) {
    return line;
  }
  drawn.resize(line.size());
  std::u32string result(drawn.begin(), drawn.end());
  std::erase(result, kNoBreakMark);
  return result;
}

std::string date_words(std::string_view timestamp) {
  static constexpr std::array<const char*, 12> kMonths = {
      "January", "February", "March",     "April",   "May",      "June",
      "July",    "August",   "September", "October", "November", "December"};
  const auto number = [&](std::size_t at, std::size_t digits) {
    unsigned value = 0;
    const char* const begin = timestamp.data() + at;
    const auto [end, error] = std::from_chars(begin, begin + digits, value);
    return error == std::errc() && end == begin + digits ? value : 0U;
  };
  if (timestamp.size() < 10) {
    return std::string(timestamp);
  }
  const unsigned year = number(0, 4);
  const unsigned month = number(5, 2);
  const unsigned day = number(8, 2);
  if (year == 0 || month == 0 || month > 12 || day == 0) {
    return std::string(timestamp);
  }
  return std::to_string(day) + ' ' + kMonths.at(month - 1) + ' ' + std::to_string(year);
}

bool is_latin(std::u32string_view text) {
  return std::ranges::all_of(
      text, [](char32_t character) { return windows_1252(character).has_value(); });
}

std::string to_windows_1252(std::u32string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (const char32_t character : text) {
    bytes += windows_1252(character).value_or('?');
  }
  return bytes;
}

std::string to_utf8(std::u32string_view text) {
  std::string bytes;
  for (const char32_t character : text) {
    spec::text::append_utf8(bytes, character);
  }
  return bytes;
}

namespace {

// The font of an archive, else Debian's.
const char* font_file() {
  static const std::string file = [] {
    const auto root = spec::process::find_data_root(spec::process::executable_path());
    const auto own = root.value_or("") / "fonts/DejaVuSans.ttf";
    return root && std::filesystem::exists(own) ? own.string()
                                                : "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
  }();
  return file.c_str();
}

constexpr float kUnitsPerEm = 1000;
// One face serves for both: bold letters are drawn with an outline, since a second embedded face
// would double the size of the document and the time it takes.
constexpr float kBoldOutline = 0.035F;

}  // namespace

struct Canvas::State : spec::NonCopyable {
  HPDF_Doc document = nullptr;
  HPDF_Font font = nullptr;
  bool latin = true;
  std::vector<HPDF_Page> pages;
  HPDF_Page page = nullptr;

  explicit State(Characters characters) : latin(characters == Characters::kLatin) {
    // Without a handler libharu keeps the first error and rejects what comes after it; a handler
    // that throws would unwind through C.
    document = HPDF_New(nullptr, nullptr);
    if (document == nullptr) {
      throw std::runtime_error("libharu cannot start a document");
    }
    HPDF_SetCompressionMode(document, HPDF_COMP_ALL);
    HPDF_UseUTFEncodings(document);
    const char* const name = HPDF_LoadTTFontFromFile(document, font_file(), HPDF_TRUE);
    if (name != nullptr) {
      font = HPDF_GetFont(document, name, latin ? "CP1252" : "UTF-8");
    }
  }

  ~State() {
    if (document != nullptr) {
      HPDF_Free(document);
    }
  }

  void throw_on_error() const {
    const HPDF_STATUS status = HPDF_GetError(document);
    if (status != HPDF_OK || font == nullptr) {
      std::array<char, 80> text{};
      std::snprintf(text.data(), text.size(), "libharu cannot draw the invoice: error 0x%04lX",
                    static_cast<unsigned long>(status));
      throw std::runtime_error(text.data());
    }
  }

  std::string encoded(std::u32string_view text) const {
    return latin ? to_windows_1252(text) : to_utf8(text);
  }
};

Canvas::Canvas(Characters characters) {
  if (const auto problem = font_problem()) {
    throw std::runtime_error(*problem);
  }
  state_ = std::make_unique<State>(characters);
  state_->throw_on_error();
}

Canvas::~Canvas() = default;

void Canvas::add_page() {
  state_->page = HPDF_AddPage(state_->document);
  if (state_->page == nullptr) {
    state_->throw_on_error();
  }
  HPDF_Page_SetWidth(state_->page, kPageWidth);
  HPDF_Page_SetHeight(state_->page, kPageHeight);
  state_->pages.push_back(state_->page);
}

std::size_t Canvas::page_count() const {
  return state_->pages.size();
}

void Canvas::select_page(std::size_t index) {
  state_->page = state_->pages[index];
}

float Canvas::width(std::u32string_view text, const Style& style) const {
  float units = 0;
  for (const char32_t character : text) {
    units += static_cast<float>(
        HPDF_Font_GetUnicodeWidth(state_->font, static_cast<HPDF_UNICODE>(character)));
  }
  return units * style.size / kUnitsPerEm;
}

void Canvas::draw(float x, float y, const std::u32string& line, const Style& style) {
  if (line.empty()) {
    return;
  }
  const HPDF_Page page = state_->page;
  const auto& [red, green, blue] = style.colour;
  HPDF_Page_SetRGBFill(page, red, green, blue);
  if (style.bold) {
    HPDF_Page_SetRGBStroke(page, red, green, blue);
    HPDF_Page_SetLineWidth(page, style.size * kBoldOutline);
  }
  HPDF_Page_BeginText(page);
  HPDF_Page_SetFontAndSize(page, state_->font, style.size);
  HPDF_Page_SetTextRenderingMode(page, style.bold ? HPDF_FILL_THEN_STROKE : HPDF_FILL);
  HPDF_Page_TextOut(page, x, kPageHeight - y, state_->encoded(visual(line)).c_str());
  HPDF_Page_EndText(page);
}

void Canvas::draw_right(float x, float y, const std::u32string& line, const Style& style) {
  draw(x - width(line, style), y, line, style);
}

void Canvas::rule(float left, float right, float y, float thickness, const Colour& colour) {
  const HPDF_Page page = state_->page;
  HPDF_Page_SetRGBStroke(page, colour.red, colour.green, colour.blue);
  HPDF_Page_SetLineWidth(page, thickness);
  HPDF_Page_MoveTo(page, left, kPageHeight - y);
  HPDF_Page_LineTo(page, right, kPageHeight - y);
  HPDF_Page_Stroke(page);
}

void Canvas::describe(std::u32string_view title, std::u32string_view author) {
  HPDF_SetCurrentEncoder(state_->document, "UTF-8");
  HPDF_SetInfoAttr(state_->document, HPDF_INFO_TITLE, to_utf8(title).c_str());
  HPDF_SetInfoAttr(state_->document, HPDF_INFO_AUTHOR, to_utf8(author).c_str());
}

std::string Canvas::finish() {
  HPDF_SaveToStream(state_->document);
  state_->throw_on_error();
  HPDF_UINT32 size = HPDF_GetStreamSize(state_->document);
  std::string bytes(size, '\0');
  // The stream's bytes, not text: libharu names them so.
  HPDF_ReadFromStream(state_->document, reinterpret_cast<HPDF_BYTE*>(bytes.data()), &size);
  bytes.resize(size);
  state_->throw_on_error();
  return bytes;
}

std::optional<std::string> font_problem() {
  std::error_code error;
  if (std::filesystem::is_regular_file(font_file(), error)) {
    return std::nullopt;
  }
  return std::string("invoices need the font ") + font_file() +
         ", which is not there; install the package fonts-dejavu-core, or unpack the archive again";
}

}  // namespace mock_server::invoice
