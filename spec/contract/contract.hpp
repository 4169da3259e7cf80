#pragma once

// A contract in memory: operations with their parameters, bodies, responses and credentials, and
// how each is read, every schema compiled, every statement in a table. Built by
// loading/load_contract.hpp from an OpenAPI 3.0, 3.1 or 3.2 document; immutable afterwards and
// shared by reference between threads.

#include "spec/contract/router.hpp"
#include "spec/contract/shape.hpp"
#include "spec/contract/statement.hpp"
#include "spec/contract/violation.hpp"
#include "spec/document/document.hpp"
#include "spec/document/library.hpp"
#include "spec/http/media_type.hpp"
#include "spec/schema/schema_set.hpp"

#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::schema {

class Summaries;

}  // namespace spec::schema

namespace spec::contract {

// The OpenAPI version of a contract; patch versions do not differ in meaning.
enum class Version : std::uint8_t { k30, k31, k32 };

// kQuerystring: the whole query is one value (`querystring`, since 3.2).
enum class Location : std::uint8_t { kPath, kQuery, kQuerystring, kHeader, kCookie };

// The part of a request where a parameter is.
Part part_of(Location location);

enum class Style : std::uint8_t {
  kSimple,
  kLabel,
  kMatrix,
  kForm,
  kSpaceDelimited,
  kPipeDelimited,
  kDeepObject
};

// The style in which a value is spread over fields of a query, form or cookie.
struct FieldStyle {
  std::string_view name;
  Style style = Style::kForm;
  bool explode = true;
  bool takes_plain = false;  // a deepObject that may be one value under its own name
};

struct Example {
  std::string name;  // "" for the single `example`
  std::shared_ptr<const nlohmann::json> value;
  document::Node node;
  // The value as it goes over the wire (`serializedValue`, since 3.2): a body, "name=value" of a
  // query, the lines of a header.
  std::optional<std::string> serialized = std::nullopt;
  bool has_data = true;  // `value` is that of the document, else it is read from `serialized`
};

// A part of the contract that is not understood, and the part of messages that depends on it: such
// messages are undecided.
struct Gap {
  Part part = Part::kBody;  // of the message
  StatementId statement = 0;
  std::string message;
  bool is_reference = false;  // a $ref that leads nowhere, or in a circle
};

struct MediaTypeObject;

// One parameter or response header. Source: OpenAPI 3.1.0 §4.8.12.
struct Parameter {
  std::string name;
  Location location = Location::kQuery;
  bool required = false;
  bool allow_empty_value =
      false;  // an empty value means "not given"; of queries in form style alone
  bool allow_reserved = false;
  bool is_unencoded = false;  // a cookie in the style `cookie` of 3.2, never percent-encoded
  bool explode = false;
  bool deprecated = false;
  bool takes_plain = false;  // as FieldStyle::takes_plain
  Style style = Style::kForm;
  std::optional<schema::SchemaId> schema;
  std::optional<ShapeId> shape;                        // of the schema; none: any text is valid
  std::optional<http::MediaType> content_type;         // set for a parameter with `content`
  std::shared_ptr<const MediaTypeObject> querystring;  // of a parameter that is the whole query
  std::vector<Example> examples;
  document::Node node;
  StatementId statement = 0;           // the parameter itself
  StatementId required_statement = 0;  // its `required`, else the parameter
};

// The way in which the bytes of a body are read.
enum class BodyKind : std::uint8_t {
  kJson,
  kForm,
  kMultipart,
  kParts,  // multipart by position: an array of parts
  kText,
  kBytes,
  kItems,       // one item after another: items.hpp
  kUnchecked,   // a form that we cannot read into the schema's (XML to objects)
  kByMediaType  // declared as a range: the message's own type decides
};

// A bound on a body that is read as bytes, checked without building an instance.
struct BytesBound {
  enum class Kind : std::uint8_t { kMinCount, kMaxCount, kMinByte, kMaxByte };
  Kind kind = Kind::kMinCount;
  std::int64_t value = 0;
  std::string keyword;
  StatementId statement = 0;

  bool allows(std::string_view body) const;
};

// The encoding of one property of a form. Source: OpenAPI 3.1.0 §4.8.15.
struct Encoding {
  std::string property;
  std::vector<http::MediaType> content_types;
  Style style = Style::kForm;
  bool explode = true;
  bool is_styled = false;  // by style, explode or allowReserved, so that contentType is ignored
  std::vector<Parameter> headers;
  StatementId statement = 0;

  // The first of `content_types` that is no range; null if there is none.
  const http::MediaType* content_type() const {
    const auto exact = std::ranges::find_if(
        content_types, [](const http::MediaType& type) { return type.subtype != "*"; });
    return exact == content_types.end() ? nullptr : &*exact;
  }
};

// One entry of a `content` map.
struct MediaTypeObject {
  http::MediaType media_type;  // may be a range
  std::optional<schema::SchemaId> schema;
  std::optional<ShapeId> shape;  // of the schema; none for JSON, which has types of its own
  BodyKind kind = BodyKind::kJson;
  // Of each item of a sequence: `itemSchema` since 3.2, else by `schema`. See items.hpp.
  std::optional<schema::SchemaId> item_schema;
  std::optional<ShapeId> item_shape;
  bool has_array_schema = false;  // `schema` is about all items as an array: since 3.2
  bool item_is_event = false;     // with its fields, not its data alone
  std::vector<BytesBound> bounds;
  std::vector<Encoding> encodings;
  // Of the parts of a body by position, since 3.2: of the first ones, and of those behind them.
  std::vector<Encoding> prefix_encodings{};
  std::optional<Encoding> item_encoding{};
  std::vector<Example> examples;
  document::Node node;
  document::Node place;  // the entry of `content`, whose key is the media type; may refer to `node`
  StatementId statement = 0;

  // The Encoding of a property; null if it has none.
  const Encoding* encoding(std::string_view property) const {
    const auto found = std::ranges::find(encodings, property, &Encoding::property);
    return found == encodings.end() ? nullptr : &*found;
  }

  // The Encoding of the part at that index of a body by position; null if it has none.
  const Encoding* encoding(std::size_t index) const {
    return index < prefix_encodings.size() ? &prefix_encodings[index]
           : item_encoding                 ? &*item_encoding
                                           : nullptr;
  }
};

// The shape of the part at that index of a body by position; none if nothing is known of it.
std::optional<ShapeId> part_shape(const MediaTypeObject& content, std::size_t index,
                                  const Shapes& shapes);

// The first content whose media type is JSON, else the first range that includes JSON ("*/*",
// "application/*"); null if there is neither. Source: RFC 9110 §12.5.1, OpenAPI 3.1.0 §4.8.14.
const MediaTypeObject* json_content(const std::vector<MediaTypeObject>& contents);

// The schema of the first content whose media type is JSON and that has one; a range is not enough.
std::optional<schema::SchemaId> json_schema(const std::vector<MediaTypeObject>& contents);

struct RequestBody {
  bool required = false;
  std::vector<MediaTypeObject> contents;
  std::optional<Gap> content_gap;  // a media type that cannot be read may be the message's
  document::Node node;
  StatementId statement = 0;
  StatementId required_statement = 0;
};

// One entry of `responses`. `status` is 100 to 599; `range` 1 to 5 for "NXX"; both 0 for `default`.
struct Response {
  int status = 0;
  int range = 0;
  std::vector<MediaTypeObject> contents;
  std::vector<Parameter> headers;
  std::vector<Gap> gaps;
  std::optional<Gap> content_gap;  // as RequestBody::content_gap
  document::Node node;
  StatementId statement = 0;

  bool is_success() const { return status / 100 == 2 || range == 2; }

  // The lowest status of the response: 400 for "4XX"; 0 for `default`.
  int lowest_status() const { return range != 0 ? range * 100 : status; }

  // The declared header of that name, whatever its letters' case; null if there is none.
  const Parameter* header(std::string_view name) const;
};

// The lines of `text`, if it is the value of Set-Cookie, which has a line for each cookie; else the
// text alone. Source: RFC 9110 §5.3, OpenAPI 3.2.0, Representing the Set-Cookie Header.
std::vector<std::string> header_lines(const Parameter& header, std::string_view text);

// The key of a response under `responses`: "404", "4XX" or "default".
std::string response_key(const Response& response);

enum class SecurityKind : std::uint8_t { kBearer, kBasic, kApiKey, kOther };

struct SecurityScheme {
  std::string name;
  SecurityKind kind = SecurityKind::kOther;
  Location location = Location::kHeader;  // of an API key
  std::string parameter;                  // its name
  std::string http_scheme;                // "digest": of an HTTP scheme, as written
  document::Node node;
  StatementId statement = 0;
};

// One alternative: all of its schemes are needed (AND). Without schemes, no credentials are needed.
struct SecurityRequirement {
  std::vector<SecurityScheme> schemes;
};

struct Operation {
  std::uint32_t index = 0;  // in Contract::operations()
  std::string id;           // operationId; else "get_path_with_words", made unique
  std::string method;       // upper case
  std::string path;         // the template, "/brands/{id}"
  std::string name;         // "PATCH /brands/{id}"
  std::string summary;
  std::vector<Parameter> parameters;
  std::optional<RequestBody> body;
  std::vector<Response> responses;            // in document order
  std::vector<SecurityRequirement> security;  // OR; empty: no requirement
  StatementId security_statement = 0;
  bool deprecated = false;
  document::Node node;
  StatementId statement = 0;
  std::vector<Segment> segments;  // of the path
  bool needs_raw_path = false;    // a path parameter is more than one plain value
  std::vector<Gap> gaps;          // of requests
  std::optional<Gap> status_gap;  // an entry of `responses` that cannot be read may be the status's

  // The response for `status`: exact, then range, then default; null if there is none.
  const Response* response(int status) const;
  // The lowest declared 2xx status; for a range its first; 200 when only `default` or nothing is
  // declared besides other statuses; else the lowest of those: a redirect is an ordinary response.
  int success_status() const;
  // True if `responses` has exactly this status, not only a range.
  bool declares(int status) const;
  const Parameter* parameter(Location location, std::string_view name) const;
  // The parameter that is the whole query; null if there is none.
  const Parameter* querystring() const;
  // True if credentials are required: every alternative of `security` has a scheme.
  bool is_secured() const;
  // True if an alternative of `security` has an API key at that place.
  bool has_api_key(Location location, std::string_view parameter) const;
};

// The result of routing a method and path.
struct Match {
  enum class Kind : std::uint8_t { kFound, kUnknownPath, kWrongMethod, kMalformed };
  Kind kind = Kind::kUnknownPath;
  const Operation* operation = nullptr;
  // Path parameters, decoded once, by name in template order; valid when kFound.
  std::vector<std::pair<std::string, std::string>> path_values;
  std::vector<std::string> allowed;  // methods of the path when kWrongMethod, as in Allow
};

// What the operation is about by its path: "customers" for "/customers/{id}"; "" if that does not
// say.
std::string subject_of(const Operation& operation);

class Contract {
 public:
  ~Contract();
  Contract(Contract&&) noexcept;
  Contract& operator=(Contract&&) noexcept;

  std::string_view title() const;
  std::string_view version() const;  // info.version
  std::span<const Operation> operations() const;
  const Operation* operation(std::string_view id) const;
  // Routes a request target's path, still encoded, with or without the path of one of the
  // operation's servers; literals beat parameters whatever the order; HEAD falls to GET.
  // Source: OpenAPI 3.1.0 §4.8.8.2.
  Match route(std::string_view method, std::string_view raw_path) const;

  const std::vector<Statement>& statements() const;
  const Statement& statement(StatementId id) const;
  // The statement at a node of the document; the nearest one above it if it has none of its own.
  StatementId statement_at(const document::Node& node) const;

  // The assumptions: one entry for each mark (`x-assumed`) in the order of the texts. Empty in
  // document-only mode.
  const std::vector<Statement>& assumptions() const;

  const schema::SchemaSet& schemas() const;
  // Summaries of the contract's schemas: of Reach::kUnlessNull, and of Reach::kPossible.
  const schema::Summaries& summaries() const;
  const schema::Summaries& possible_summaries() const;
  // The compiled schema at a node of the document; none if there is no schema.
  std::optional<schema::SchemaId> schema_at(const document::Node& node) const;
  document::Node root() const;
  // Every file that the contract was read from.
  std::vector<std::filesystem::path> files() const;
  // Every referenced file that could not be read.
  std::vector<std::filesystem::path> missing_files() const;
  // Problems that do not prevent serving: violations of OpenAPI (invalid examples, twin templates),
  // likely mistakes (misspelt keywords), tolerated parts. Reported at start; --check makes errors
  // of the first kind.
  const std::vector<Problem>& warnings() const;

  struct State;
  explicit Contract(std::unique_ptr<State> state);

  const State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

// `shape` is that of the schema, one of `shapes`; null if there is none. kByMediaType for a range.
BodyKind body_kind(const http::MediaType& media_type, const Shape* shape, const Shapes& shapes);

// True for PDF, images, application/octet-stream and the like.
bool is_binary_format(const http::MediaType& media_type);

// True for a binary format whose bytes are opaque: no format that has arrays and objects of its own
// (MessagePack, CBOR), and not octet-stream, which may be anything.
bool is_opaque_format(const http::MediaType& media_type);

// `value` as a response of `schema`, without the members that are writeOnly
// (schema::write_only_members). A contract without the keyword pays nothing. Source: OpenAPI 3.1.0
// §4.8.24 (JSON Schema 2020-12 Validation §9.4), 3.0.3 Schema Object.
nlohmann::json without_write_only(const schema::SchemaSet& schemas, schema::SchemaId schema,
                                  nlohmann::json value);
nlohmann::json without_write_only(const Contract& contract, std::optional<schema::SchemaId> schema,
                                  nlohmann::json value);

}  // namespace spec::contract
