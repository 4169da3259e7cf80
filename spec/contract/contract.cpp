#include "spec/contract/contract.hpp"

#include "spec/contract/contract_state.hpp"
#include "spec/contract/router.hpp"
#include "spec/http/items.hpp"
#include "spec/http/method.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>

namespace spec::contract {

namespace {

// The methods in the order of an Allow field.
constexpr auto kInOrder = [] {
  auto methods = http::kMethods;
  std::ranges::sort(methods, {}, &http::Method::place);
  return methods;
}();

const std::pair<std::string, Router::Route>* find_method(const Router::Path& path,
                                                         std::string_view method) {
  const auto found = std::find_if(path.methods.begin(), path.methods.end(),
                                  [method](const auto& entry) { return entry.first == method; });
  return found == path.methods.end() ? nullptr : &*found;
}

// True if two names are the same at that location.
bool is_name_of(Location location, std::string_view name, std::string_view other) {
  return location == Location::kHeader ? text::equals_ignoring_case(name, other) : name == other;
}

// The methods that a path supports; HEAD comes with GET, and OPTIONS always.
std::vector<std::string> allowed_methods(const std::vector<Router::Path>& paths) {
  const auto has = [&paths](std::string_view method) {
    return std::any_of(paths.begin(), paths.end(), [method](const Router::Path& path) {
      return find_method(path, method) != nullptr;
    });
  };
  std::vector<std::string> allowed;
  for (const http::Method& method : kInOrder) {
    if (method.name == "OPTIONS" || has(method.name) || has(http::response_method(method.name))) {
      allowed.emplace_back(method.name);
    }
  }
  for (const Router::Path& path : paths) {
    for (const auto& [method, route] : path.methods) {
      if (std::ranges::find(allowed, method) == allowed.end()) {
        allowed.push_back(method);  // of `additionalOperations`
      }
    }
  }
  return allowed;
}

// Chooses among equal templates: one whose path parameters take these values, but not any text;
// else one that takes them; else the first.
Match best_of(const Contract& contract, std::vector<Match>& twins, std::string_view path) {
  const auto fits = [&](const Match& twin) {
    return fits_path(contract, *twin.operation, path, twin.path_values);
  };
  const auto fits_well = [&](const Match& twin) {
    auto any_text = twin.path_values;
    for (auto& value : any_text) {
      value.second = "~ ~";
    }
    return fits(twin) && !fits_path(contract, *twin.operation, "", any_text);
  };
  auto best = std::ranges::find_if(twins, fits_well);
  best = best == twins.end() ? std::ranges::find_if(twins, fits) : best;
  return std::move(best == twins.end() ? twins.front() : *best);
}

// Precondition: normal_path gave `path`, which was found.
Match match_of(const Router::PathMatch& found, std::string_view method, const Contract& contract,
               std::string_view path) {
  for (const std::string_view wanted : {method, std::string_view(method == "HEAD" ? "GET" : "")}) {
    std::vector<Match> twins;
    for (const Router::Path& one : *found.paths) {
      const auto* entry = wanted.empty() ? nullptr : find_method(one, wanted);
      if (entry == nullptr) {
        continue;
      }
      Match& match = twins.emplace_back();
      match.kind = Match::Kind::kFound;
      match.operation = &contract.operations()[entry->second];
      match.path_values.reserve(found.values.size());
      for (std::size_t i = 0; i < found.values.size(); ++i) {
        match.path_values.emplace_back(one.names[i], text::percent_decode(found.values[i]).value());
      }
    }
    if (!twins.empty()) {
      return twins.size() == 1 ? std::move(twins.front()) : best_of(contract, twins, path);
    }
  }
  return {.kind = Match::Kind::kWrongMethod,
          .operation = nullptr,
          .path_values = {},
          .allowed = allowed_methods(*found.paths)};
}

// The template behind one of the servers' prefixes, either open or fixed ones.
std::optional<Router::PathMatch> find_behind(const Contract::State& state, std::string_view path,
                                             bool open) {
  for (const ServerPrefix& prefix : state.prefixes) {
    const auto rest =
        is_open_prefix(prefix.text) == open ? path_behind(path, prefix.text) : std::nullopt;
    if (auto found = rest ? state.routers[prefix.router].find(*rest) : std::nullopt) {
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace

Part part_of(Location location) {
  switch (location) {
    case Location::kPath: return Part::kPath;
    case Location::kQuery:
    case Location::kQuerystring: return Part::kQuery;
    case Location::kHeader: return Part::kHeader;
    case Location::kCookie: break;
  }
  return Part::kCookie;
}

bool BytesBound::allows(std::string_view body) const {
  const auto count = static_cast<std::int64_t>(body.size());
  const auto value_of = [](char byte) { return std::int64_t{static_cast<unsigned char>(byte)}; };
  switch (kind) {
    case BytesBound::Kind::kMinCount: return count >= value;
    case BytesBound::Kind::kMaxCount: return count <= value;
    case BytesBound::Kind::kMinByte:
      return value <= 0 || std::all_of(body.begin(), body.end(),
                                       [&](char byte) { return value_of(byte) >= value; });
    case BytesBound::Kind::kMaxByte:
      return value >= 255 || std::all_of(body.begin(), body.end(),
                                         [&](char byte) { return value_of(byte) <= value; });
  }
  return true;
}

const MediaTypeObject* json_content(const std::vector<MediaTypeObject>& contents) {
  const http::MediaType json{"application", "json", {}};
  auto found = std::ranges::find_if(
      contents, [](const MediaTypeObject& one) { return one.media_type.is_json(); });
  if (found == contents.end()) {
    found = std::ranges::find_if(
        contents, [&](const MediaTypeObject& one) { return http::includes(one.media_type, json); });
  }
  return found == contents.end() ? nullptr : &*found;
}

std::optional<schema::SchemaId> json_schema(const std::vector<MediaTypeObject>& contents) {
  const auto found = std::ranges::find_if(contents, [](const MediaTypeObject& one) {
    return one.media_type.is_json() && one.schema.has_value();
  });
  return found == contents.end() ? std::nullopt : found->schema;
}

std::string subject_of(const Operation& operation) {
  std::string_view path = operation.path;
  for (std::size_t slash = path.rfind('/'); slash != path.npos; slash = path.rfind('/')) {
    const std::string_view segment = path.substr(slash + 1);
    if (!segment.empty() && segment.find('{') == segment.npos) {
      return std::string(segment);
    }
    path = path.substr(0, slash);
  }
  return "";
}

std::string response_key(const Response& response) {
  if (response.status != 0) {
    return std::to_string(response.status);
  }
  return response.range != 0 ? std::to_string(response.range) + "XX" : "default";
}

std::vector<std::string> header_lines(const Parameter& header, std::string_view text) {
  if (!text::equals_ignoring_case(header.name, "Set-Cookie")) {
    return {std::string(text)};
  }
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.empty()) {
      lines.emplace_back(line);
    }
  }
  return lines;
}

const Parameter* Response::header(std::string_view name) const {
  const auto found = std::ranges::find_if(headers, [name](const Parameter& each) {
    return text::equals_ignoring_case(each.name, name);
  });
  return found == headers.end() ? nullptr : &*found;
}

int Operation::success_status() const {
  constexpr int kNone = 1000;
  int lowest = kNone;
  bool has_default = responses.empty();
  for (const Response& declared : responses) {
    const int status = declared.lowest_status();
    has_default = has_default || status == 0;
    if (status >= 200) {
      lowest = std::min(lowest, status);
    }
  }
  constexpr int kFirstRedirect = 300;
  return lowest == kNone || (lowest >= kFirstRedirect && has_default) ? 200 : lowest;
}

bool Operation::declares(int status) const {
  return std::ranges::find(responses, status, &Response::status) != responses.end();
}

const Response* Operation::response(int status) const {
  const Response* best = nullptr;
  for (const Response& each : responses) {
    if (each.status == status) {
      return &each;
    }
    const bool is_range = each.range != 0 && each.range == status / 100;
    const bool is_default = each.status == 0 && each.range == 0;
    if (is_range || (is_default && best == nullptr)) {
      best = &each;
    }
  }
  return best;
}

const Parameter* Operation::parameter(Location location, std::string_view wanted) const {
  const auto found = std::find_if(
      parameters.begin(), parameters.end(), [location, wanted](const Parameter& parameter) {
        return parameter.location == location && is_name_of(location, parameter.name, wanted);
      });
  return found == parameters.end() ? nullptr : &*found;
}

const Parameter* Operation::querystring() const {
  const auto found = std::ranges::find(parameters, Location::kQuerystring, &Parameter::location);
  return found == parameters.end() ? nullptr : &*found;
}

bool Operation::is_secured() const {
  return !security.empty() &&
         std::none_of(security.begin(), security.end(), [](const SecurityRequirement& alternative) {
           return alternative.schemes.empty();
         });
}

bool Operation::has_api_key(Location location, std::string_view parameter) const {
  const auto is_it = [location, parameter](const SecurityScheme& scheme) {
    return scheme.kind == SecurityKind::kApiKey && scheme.location == location &&
           is_name_of(location, scheme.parameter, parameter);
  };
  return std::any_of(security.begin(), security.end(), [&is_it](const SecurityRequirement& one) {
    return std::any_of(one.schemes.begin(), one.schemes.end(), is_it);
  });
}

Contract::Contract(std::unique_ptr<State> state) : state_(std::move(state)) {
  const schema::Program& program = state_->schemas.program();
  state_->summaries.emplace(program);
  state_->possible_summaries.emplace(program, schema::Reach::kPossible);
  state_->every_summary.emplace(program, schema::Reach::kEvery);
}

Contract::~Contract() = default;
Contract::Contract(Contract&&) noexcept = default;
Contract& Contract::operator=(Contract&&) noexcept = default;

std::string_view Contract::title() const {
  return state_->title;
}

std::string_view Contract::version() const {
  return state_->info_version;
}

std::span<const Operation> Contract::operations() const {
  return state_->operations;
}

const Operation* Contract::operation(std::string_view id) const {
  const auto found = state_->by_id.find(id);
  return found == state_->by_id.end() ? nullptr : found->second;
}

Match Contract::route(std::string_view method, std::string_view raw_path) const {
  std::optional<std::string> decoded;
  std::string_view path = raw_path;  // most are normal as they come
  if (raw_path.find('%') != std::string_view::npos) {
    decoded = normal_path(raw_path);
    if (!decoded) {
      return {
          .kind = Match::Kind::kMalformed, .operation = nullptr, .path_values = {}, .allowed = {}};
    }
    path = *decoded;
  }
  // Variables for any text come last: they would match an operation's own segment.
  auto found = find_behind(*state_, path, false);
  if (!found) {
    found = state_->routers.front().find(path);
  }
  if (!found) {
    found = find_behind(*state_, path, true);
  }
  return found ? match_of(*found, method, *this, path) : Match{};
}

const std::vector<Statement>& Contract::statements() const {
  return state_->table.statements();
}

const Statement& Contract::statement(StatementId id) const {
  assert(id < statements().size());
  return statements()[id];
}

StatementId Contract::statement_at(const document::Node& node) const {
  return state_->table.at(node);
}

const std::vector<Statement>& Contract::assumptions() const {
  return state_->assumptions;
}

const schema::SchemaSet& Contract::schemas() const {
  return state_->schemas;
}

const schema::Summaries& Contract::summaries() const {
  return *state_->summaries;
}

const schema::Summaries& Contract::possible_summaries() const {
  return *state_->possible_summaries;
}

std::vector<std::filesystem::path> Contract::State::missing_files() const {
  std::vector<std::filesystem::path> files = library.missing_files();
  files.insert(files.end(), missing_external_files.begin(), missing_external_files.end());
  return files;
}

document::Node Contract::State::referred(const document::Node& node) const {
  const schema::SchemaId id = schema_ids.find(node);
  const auto target = id == kNoSchema ? std::nullopt : reference_of(schemas.program(), id);
  return target ? schemas.source(*target) : document::Node();
}

std::optional<schema::SchemaId> Contract::schema_at(const document::Node& node) const {
  const schema::SchemaId id = node ? state_->schema_ids.find(node) : State::kNoSchema;
  return id == State::kNoSchema ? std::nullopt : std::optional(id);
}

document::Node Contract::root() const {
  return state_->root;
}

std::vector<std::filesystem::path> Contract::files() const {
  std::vector<std::filesystem::path> files = state_->library.files();
  files.insert(files.end(), state_->external_files.begin(), state_->external_files.end());
  return files;
}

std::vector<std::filesystem::path> Contract::missing_files() const {
  return state_->missing_files();
}

const std::vector<Problem>& Contract::warnings() const {
  return state_->warnings;
}

namespace {

bool is_text(const http::MediaType& media_type) {
  return media_type.type == "text" || media_type.subtype == "xml" ||
         media_type.subtype.ends_with("+xml") || http::item_form(media_type) ||
         media_type.subtype == "yaml" || media_type.subtype == "x-yaml" ||
         media_type.subtype == "javascript";
}

// True for binary formats that have arrays and objects of their own: there an array of integers is
// not the bytes.
bool is_structured_format(const http::MediaType& media_type) {
  static constexpr std::array<std::string_view, 9> kNames{
      "msgpack",  "x-msgpack",  "vnd.msgpack",        "cbor", "bson", "avro",
      "protobuf", "x-protobuf", "vnd.google.protobuf"};
  return std::ranges::find(kNames, media_type.subtype) != kNames.end() ||
         media_type.subtype.ends_with("+cbor") || media_type.subtype.ends_with("+protobuf");
}

// Bytes can be read as text or as an array of integers.
bool describes_bytes(const http::MediaType& media_type, const Shape* shape, const Shapes& shapes) {
  if (shape == nullptr || !shape->is_typed || shape->is_binary ||
      shape->allows(schema::kStringType)) {
    return true;
  }
  if (!shape->allows(schema::kArrayType) || is_text(media_type) ||
      is_structured_format(media_type) || !shape->prefix_items.empty()) {
    return false;
  }
  return !shape->items || shapes[*shape->items].allows(schema::kIntegerType);
}

}  // namespace

std::optional<ShapeId> part_shape(const MediaTypeObject& content, std::size_t index,
                                  const Shapes& shapes) {
  const Shape* all = shapes.find(content.shape);
  if (all != nullptr && index < all->prefix_items.size()) {
    return all->prefix_items[index];
  }
  return all != nullptr && all->items ? all->items : content.item_shape;
}

BodyKind body_kind(const http::MediaType& media_type, const Shape* shape, const Shapes& shapes) {
  if (media_type.subtype == "*") {
    return BodyKind::kByMediaType;
  }
  if (media_type.is_json()) {
    return BodyKind::kJson;
  }
  if (media_type.type == "application" && media_type.subtype == "x-www-form-urlencoded") {
    return BodyKind::kForm;
  }
  if (media_type.type == "multipart") {
    return media_type.subtype == "form-data" ? BodyKind::kMultipart : BodyKind::kUnchecked;
  }
  const bool is_scalar = shape == nullptr || !shape->is_typed || shape->allows(kScalarBits);
  if (http::item_form(media_type) &&
      (shape == nullptr || shape->allows(schema::kArrayType | schema::kObjectType))) {
    return BodyKind::kItems;  // a schema of plain values is about the whole text
  }
  if (is_text(media_type) && is_scalar && (shape == nullptr || !shape->is_binary)) {
    return BodyKind::kText;
  }
  return describes_bytes(media_type, shape, shapes) ? BodyKind::kBytes : BodyKind::kUnchecked;
}

bool is_binary_format(const http::MediaType& media_type) {
  static constexpr std::array<std::string_view, 10> kNames{
      "octet-stream", "pdf",   "zip",     "gzip",    "x-gzip",
      "x-tar",        "x-zip", "x-bzip2", "vnd.rar", "wasm"};
  const bool is_media = media_type.type == "image" || media_type.type == "audio" ||
                        media_type.type == "video" || media_type.type == "font";
  return (is_media && !is_text(media_type)) || is_structured_format(media_type) ||
         (media_type.type == "application" &&
          std::ranges::find(kNames, media_type.subtype) != kNames.end());
}

bool is_opaque_format(const http::MediaType& media_type) {
  return is_binary_format(media_type) && !is_structured_format(media_type) &&
         media_type.subtype != "octet-stream";
}

nlohmann::json without_write_only(const Contract& contract, std::optional<schema::SchemaId> schema,
                                  nlohmann::json value) {
  return schema ? without_write_only(contract.schemas(), *schema, std::move(value)) : value;
}

nlohmann::json without_write_only(const schema::SchemaSet& schemas, schema::SchemaId schema,
                                  nlohmann::json value) {
  for (const schema::Violation& violation : write_only_members(schemas, schema, value)) {
    json::erase_member(value, violation.instance);  // unless it was erased with its parent
  }
  return value;
}

}  // namespace spec::contract
