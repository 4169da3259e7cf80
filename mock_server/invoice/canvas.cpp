#include "mock_server/invoice/canvas.hpp"

#include "spec/non_copyable.hpp"

#include <hpdf.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <vector>

namespace mock_server::invoice {
namespace {

constexpr const char* kFontFile = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
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
    const char* const name = HPDF_LoadTTFontFromFile(document, kFontFile, HPDF_TRUE);
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
  if (std::filesystem::is_regular_file(kFontFile, error)) {
    return std::nullopt;
  }
  return std::string("invoices need the font ") + kFontFile +
         ", which is not installed; install the package fonts-dejavu-core";
}

}  // namespace mock_server::invoice
