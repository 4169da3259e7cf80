#include "spec/contract/write/example_body.hpp"

#include "spec/contract/stream_items.hpp"
#include "spec/json/value.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/random.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace spec::contract::write {

namespace {

constexpr std::string_view kPdf = R"(%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R] /Count 1 >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R
/Resources << /Font << /F1 5 0 R >> >> >>
endobj
4 0 obj
<< /Length 36 >>
stream
BT /F1 12 Tf 20 60 Td (Sample) Tj ET
endstream
endobj
5 0 obj
<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>
endobj
xref
0 6
0000000000 65535 f 
0000000009 00000 n 
0000000058 00000 n 
0000000115 00000 n 
0000000241 00000 n 
0000000327 00000 n 
trailer
<< /Size 6 /Root 1 0 R >>
startxref
397
%%EOF
)";

constexpr std::string_view kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg==";
constexpr std::string_view kGif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
constexpr std::string_view kZip = "UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==";

// Self-signed, for "sample"; its key was discarded.
constexpr std::string_view kCertificate =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBeTCCAR+gAwIBAgIUEvu5lF4M9nTIIdXonRcqCKWeEU0wCgYIKoZIzj0EAwIw\n"
    "ETEPMA0GA1UEAwwGc2FtcGxlMCAXDTI2MTEyMjExMzUzMFoYDzIxMjYxMDI5MTEz\n"
    "NTMwWjARMQ8wDQYDVQQDDAZzYW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC\n"
    "AARwgP4CrTBbK2aTFCerlXctmBgVzgLncgF2EzNjnx5NeAfD6MxggRjRDnXsPayg\n"
    "dtDuEa60dKr3gB3FYPUc5eV1o1MwUTAdBgNVHQ4EFgQUtxi0OhQpOL/nFYuSdHPR\n"
    "Lb3+tEIwHwYDVR0jBBgwFoAUtxi0OhQpOL/nFYuSdHPRLb3+tEIwDwYDVR0TAQH/\n"
    "BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAyKl1HxOUvzUpxvRXhsDg5Qqks0dJ\n"
    "f3Ur3vEyc1BTkCcCIAr8Ag+yDVellr57eQfG2MvDbdY4qpO0VkfnDjGshUkg\n"
    "-----END CERTIFICATE-----\n";

// Signed (HS256) with the secret "sample". Source: RFC 7519.
constexpr std::string_view kWebToken =
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJzYW1wbGUifQ."
    "X55_eVoo8gjh7sBQJ-pGWqTQzKwX6syQ_G5yxlOO9oA";

struct Row {
  std::string_view media_type;
  std::string_view text;
  bool is_base64 = false;
};

constexpr std::array kRows = std::to_array<Row>({
    {"application/pdf", kPdf},
    {"image/png", kPng, true},
    {"image/gif", kGif, true},
    {"application/zip", kZip, true},
    {"application/graphql", "query Sample {\n  node(id: \"1\") {\n    id\n  }\n}\n"},
    {"application/jwt", kWebToken},
    {"application/jose", kWebToken},
    {"application/pem-certificate-chain", kCertificate},
    {"application/x-pem-file", kCertificate},
    {"application/x-x509-user-cert", kCertificate},
});

}  // namespace

std::optional<std::string> small_file(const http::MediaType& media_type) {
  const auto row = std::ranges::find(kRows, media_type.essence(), &Row::media_type);
  if (row == kRows.end()) {
    return std::nullopt;
  }
  return row->is_base64 ? text::from_base64(row->text) : std::optional(std::string(row->text));
}

namespace {

using Json = nlohmann::json;

using GeneratedValue = Result<Json, GenerateFailure>;

// Puts what contentSchema describes into the texts of an item, if it stays valid.
Json with_contents(const BodyForm& form, const Generator& generator, const GenerateOptions& options,
                   const Json& item) {
  Json filled = item;
  for (const Encoded& text :
       encoded_texts(form.contract, *form.content.item_schema, item, options.direction)) {
    const auto inner =
        text.schema ? generator.generate(*text.schema, options) : GeneratedValue(Json::object());
    if (inner) {
      filled[Json::json_pointer(text.pointer)] = spec::json::write(*inner);
    }
  }
  return check_items(form.contract, form.content, filled, options.direction) ==
                 schema::Verdict::kInvalid
             ? item
             : filled;
}

// The value of a body: of one that holds items, a few of them.
GeneratedValue generate_content(const BodyForm& form, const Generator& generator,
                                const GenerateOptions& options) {
  constexpr std::uint64_t kItems = 3;
  const bool has_items = kind_of(form) == BodyKind::kItems ||
                         (kind_of(form) == BodyKind::kParts && !form.content.schema);
  if (!has_items || !form.content.item_schema) {
    return generator.generate(*form.content.schema, options);
  }
  Json items = Json::array();
  for (std::uint64_t i = 0; i < kItems; ++i) {
    GenerateOptions one = options;
    one.row = schema::generate::Row{options.seed, i};
    one.seed = i == 0 ? options.seed : text::derive(options.seed, i);
    auto item = generator.generate(*form.content.item_schema, one);
    if (!item) {
      return item;
    }
    items.push_back(with_contents(form, generator, one, std::move(*item)));
  }
  return items;
}

}  // namespace

std::optional<Json> generate_value(const Generator& generator, const Parameter& parameter,
                                   const GenerateOptions& options) {
  if (options.use_examples && !parameter.examples.empty()) {
    return *parameter.examples.front().value;
  }
  if (!parameter.schema) {
    return Json("sample");
  }
  GenerateOptions named = options;
  named.name = parameter.name;
  auto value = generator.generate(*parameter.schema, named);
  return value ? std::optional(std::move(*value)) : std::nullopt;
}

MakeHeader header_maker(const Generator& generator, const GenerateOptions& options) {
  return [&generator, options](const Parameter& header) {
    return generate_value(generator, header, options);
  };
}

Result<Body, GenerateFailure> generate_body(const BodyForm& form, const Generator& generator,
                                            const GenerateOptions& options,
                                            const BodySources& sources) {
  constexpr std::uint64_t kTries = 8;
  const MakeHeader make_header = header_maker(generator, options);
  auto body = sources.serialized != nullptr
                  ? serialized_body(form, *sources.serialized, make_header)
                  : std::nullopt;
  if (!body && sources.example != nullptr) {
    body = write_body(form, *sources.example, make_header);
  }
  if (!body && sources.takes_usual) {
    body = usual_body(form);
  }
  const bool has_schema =
      form.content.schema ||
      ((kind_of(form) == BodyKind::kItems || kind_of(form) == BodyKind::kParts) &&
       form.content.item_schema);
  if (!body && !has_schema) {
    body = write_body(form, Json::object(), make_header);
  }
  for (std::uint64_t i = 0; !body && has_schema && i < kTries; ++i) {
    GenerateOptions drawn = options;
    drawn.seed = i == 0 ? options.seed : text::derive(options.seed, i);
    const auto value = generate_content(form, generator, drawn);
    if (!value) {
      return Unexpected{value.error()};
    }
    body = write_body(form, *value, make_header);
  }
  if (body) {
    return std::move(*body);
  }
  return Unexpected{GenerateFailure{
      form.content.node,
      has_schema ? "no value was found that " + form.media_type.essence() + " can be written with"
                 : "there is no schema"}};
}

}  // namespace spec::contract::write
