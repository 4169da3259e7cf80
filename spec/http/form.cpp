#include "spec/http/form.hpp"

#include "spec/http/bytes.hpp"
#include "spec/http/media_type.hpp"
#include "spec/http/message.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>

namespace spec::http {

namespace {

FormPair split_pair(std::string_view text) {
  const std::size_t equals = text.find('=');
  FormPair pair{.name = std::string(text.substr(0, equals)), .value = {}, .text = text};
  if (equals != std::string_view::npos) {
    pair.value = text.substr(equals + 1);
    pair.has_equals = true;
  }
  return pair;
}

// Calls `use` with each piece of `text` between `delimiter`s.
template <typename Use>
void for_each_piece(std::string_view text, char delimiter, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(delimiter), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::vector<FormPair> split_form(std::string_view text) {
  std::vector<FormPair> pairs;
  for_each_piece(text, '&', [&pairs](std::string_view piece) {
    if (piece.empty()) {
      return;
    }
    FormPair& pair = pairs.emplace_back(split_pair(piece));
    if (pair.name.find_first_of("%+") != std::string::npos) {
      pair.name = text::percent_decode(pair.name, true).value_or(pair.name);
    }
  });
  return pairs;
}

std::vector<FormPair> split_cookies(std::string_view field) {
  std::vector<FormPair> pairs;
  for_each_piece(field, ';', [&pairs](std::string_view piece) {
    if (!trimmed(piece).empty()) {
      pairs.push_back(split_pair(trimmed(piece)));
    }
  });
  return pairs;
}

namespace {

constexpr std::size_t kMaxBoundaryBytes = 70;  // RFC 2046 §5.1.1

// Limits for readers; the mock's transport has limits of its own.
constexpr std::size_t kMaxParts = 100'000;
constexpr std::size_t kMaxHeaderBytes = 8 * 1024;  // of one part

// Browsers write a quote and line breaks inside a name as these three triplets and leave every
// other "%" alone.
// Source: WHATWG HTML, multipart/form-data encoding.
std::string unescape_name(std::string_view text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view triplet = text.substr(i, 3);
    if (triplet == "%22" || text::equals_ignoring_case(triplet, "%0D") ||
        text::equals_ignoring_case(triplet, "%0A")) {
      name += text::percent_decode(triplet)->front();
      i += 2;
    } else {
      name += text[i];
    }
  }
  return name;
}

class Parser {
 public:
  Parser(std::string_view body, std::string_view boundary)
      : body_(body), delimiter_("--" + std::string(boundary)) {}

  Result<std::vector<MultipartPart>, MultipartError> parse() {
    auto line = next_delimiter(0);
    if (!line) {
      return fail(body_.size(), {"must start with its boundary", "has none"});
    }
    std::vector<MultipartPart> parts;
    while (!line->closes) {
      const auto end = next_delimiter(line->behind);
      if (!end) {
        return fail(body_.size(), {"must end with its closing boundary", "does not"});
      }
      if (parts.size() == kMaxParts) {
        return fail(line->behind,
                    {"must have at most " + std::to_string(kMaxParts) + " parts", "has more"});
      }
      if (!read_part(line->behind, end->start, parts)) {
        return Unexpected{error_};
      }
      line = end;
    }
    return parts;
  }

 private:
  // One boundary line: the part before it ends at `start`, the next begins at `behind`.
  struct Delimiter {
    std::size_t start = 0;
    std::size_t behind = 0;
    bool closes = false;
  };

  Unexpected<MultipartError> fail(std::size_t offset, text::ViolationMessage message) {
    error_ = {offset, std::move(message)};
    return Unexpected{error_};
  }

  // The next boundary line that starts at or behind `from`.
  std::optional<Delimiter> next_delimiter(std::size_t from) const {
    for (std::size_t at = body_.find(delimiter_, from); at != std::string_view::npos;
         at = body_.find(delimiter_, at + 1)) {
      const bool at_line_start = at == from || (at >= 2 && body_.substr(at - 2, 2) == "\r\n");
      if (!at_line_start) {
        continue;
      }
      std::size_t behind = at + delimiter_.size();
      const bool closes = body_.substr(behind, 2) == "--";
      behind += closes ? 2 : 0;
      behind = std::min(body_.find_first_not_of(" \t", behind), body_.size());
      const bool ends_line = body_.substr(behind, 2) == "\r\n";
      if (ends_line || (closes && behind == body_.size())) {
        const std::size_t start = at == from || at < 2 ? at : at - 2;
        return Delimiter{start, ends_line ? behind + 2 : behind, closes};
      }
    }
    return std::nullopt;
  }

  bool read_part(std::size_t start, std::size_t end, std::vector<MultipartPart>& parts) {
    const std::string_view text = body_.substr(start, end - std::min(start, end));
    const bool has_headers = !text.starts_with("\r\n");
    const std::size_t blank = has_headers ? text.find("\r\n\r\n") : 0;
    if (blank == std::string_view::npos) {
      fail(start, {"must have an empty line behind the headers of each part", "has none"});
      return false;
    }
    if (blank > kMaxHeaderBytes) {
      fail(start,
           {"must have part headers of at most " + std::to_string(kMaxHeaderBytes) + " bytes",
            "has a longer one"});
      return false;
    }
    MultipartPart part;
    part.content = text.substr(blank + (has_headers ? 4 : 2));
    return read_headers(text.substr(0, blank), start, part) && name_part(part, start) &&
           (parts.push_back(std::move(part)), true);
  }

  bool read_headers(std::string_view text, std::size_t offset, MultipartPart& part) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find("\r\n"), text.size());
      const std::string_view line = text.substr(0, end);
      const std::size_t colon = line.find(':');
      const std::string_view name = line.substr(0, std::min(colon, line.size()));
      if (colon == std::string_view::npos || name.empty() ||
          name.find_first_of(" \t\"(),/;<=>?@[\\]{}") != std::string_view::npos) {
        fail(offset,
             {"must have header lines \"name: value\" in each part", "has a different line"});
        return false;
      }
      part.headers.add(std::string(name), std::string(trimmed(line.substr(colon + 1))));
      text.remove_prefix(std::min(end + 2, text.size()));
    }
    return true;
  }

  bool name_part(MultipartPart& part, std::size_t offset) {
    const auto field = part.headers.find("Content-Disposition");
    // The value has the grammar of a media type's parameters after one token.
    const auto disposition =
        field ? parse_media_type("disposition/" + std::string(*field)) : std::nullopt;
    if (!field) {
      return true;
    }
    if (!disposition) {
      fail(offset, {"must have a valid Content-Disposition in each part", "has an invalid one"});
      return false;
    }
    const auto name = disposition->parameter("name");
    if (disposition->subtype == "form-data" && !name) {
      fail(offset, {"must have a name in each form-data part", "has none"});
      return false;
    }
    part.name = unescape_name(name.value_or(""));
    if (const auto filename = disposition->parameter("filename")) {
      part.filename = unescape_name(*filename);
    }
    return true;
  }

  std::string_view body_;
  std::string delimiter_;
  MultipartError error_;
};

}  // namespace

Result<std::vector<MultipartPart>, MultipartError> read_multipart(std::string_view body,
                                                                  std::string_view boundary) {
  if (boundary.empty() || boundary.size() > kMaxBoundaryBytes) {
    return Unexpected{MultipartError{0, "must name a boundary of 1 to 70 bytes"}};
  }
  return Parser(body, boundary).parse();
}

}  // namespace spec::http
