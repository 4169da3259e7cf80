#include "spec/contract/loading/grammar.hpp"

#include "spec/http/method.hpp"
#include "spec/schema/keyword.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace spec::contract::loading {

namespace {

using enum FieldForm;
using Kind = ObjectKind;

constexpr Field text(std::string_view name) {
  return {.name = name, .form = kText};
}

constexpr Field flag(std::string_view name) {
  return {.name = name, .form = kFlag};
}

constexpr Field any(std::string_view name) {
  return {.name = name, .form = kAny};
}

constexpr Field one(std::string_view name, Kind kind) {
  return {.name = name, .form = kOne, .kind = kind};
}

constexpr Field list(std::string_view name, Kind kind) {
  return {.name = name, .form = kList, .kind = kind};
}

constexpr Field map(std::string_view name, Kind kind) {
  return {.name = name, .form = kMap, .kind = kind};
}

constexpr Field needed(Field field) {
  field.is_needed = true;
  return field;
}

constexpr Field said(Field field) {
  field.is_statement = true;
  return field;
}

constexpr Field new_in_3_1(Field field) {
  field.since = Version::k31;
  return field;
}

constexpr Field new_in_3_2(Field field) {
  field.since = Version::k32;
  return field;
}

constexpr Field optional_in_3_2(Field field) {
  field.needed_until = Version::k31;
  return field;
}

constexpr std::array kRootFields{needed(text("openapi")),
                                 new_in_3_2(text("$self")),
                                 needed(one("info", Kind::kInfo)),
                                 new_in_3_1(text("jsonSchemaDialect")),
                                 list("servers", Kind::kServer),
                                 one("paths", Kind::kPaths),
                                 new_in_3_1(map("webhooks", Kind::kPathItem)),
                                 one("components", Kind::kComponents),
                                 said(list("security", Kind::kSecurityRequirement)),
                                 list("tags", Kind::kTag),
                                 one("externalDocs", Kind::kExternalDocs)};
constexpr std::array kInfoFields{needed(text("title")),         needed(text("version")),
                                 text("description"),           new_in_3_1(text("summary")),
                                 text("termsOfService"),        one("contact", Kind::kContact),
                                 one("license", Kind::kLicense)};
constexpr std::array kContactFields{text("name"), text("url"), text("email")};
constexpr std::array kLicenseFields{text("name"), text("url"), new_in_3_1(text("identifier"))};
constexpr std::array kServerFields{needed(text("url")), text("description"),
                                   new_in_3_2(text("name")),
                                   map("variables", Kind::kServerVariable)};
constexpr std::array kServerVariableFields{list("enum", Kind::kAny), needed(text("default")),
                                           text("description")};
constexpr std::array kPathsFields{one("*", Kind::kPathItem)};
constexpr auto kPathItemFields = [] {
  constexpr std::array kFirst{text("$ref"), text("summary"), text("description")};
  std::array<Field, kFirst.size() + http::kMethods.size() + 3> fields{};
  auto* next = std::ranges::copy(kFirst, fields.begin()).out;
  for (const http::Method& method : http::kMethods) {
    const Field field = one(method.field, Kind::kOperation);
    *next++ = method.name == "QUERY" ? new_in_3_2(field) : field;
  }
  *next++ = new_in_3_2(map("additionalOperations", Kind::kOperation));
  *next++ = list("servers", Kind::kServer);
  *next = list("parameters", Kind::kParameter);
  return fields;
}();
constexpr std::array kOperationFields{list("tags", Kind::kAny),
                                      text("summary"),
                                      text("description"),
                                      one("externalDocs", Kind::kExternalDocs),
                                      text("operationId"),
                                      list("parameters", Kind::kParameter),
                                      one("requestBody", Kind::kRequestBody),
                                      one("responses", Kind::kResponses),
                                      map("callbacks", Kind::kCallback),
                                      flag("deprecated"),
                                      said(list("security", Kind::kSecurityRequirement)),
                                      list("servers", Kind::kServer)};
constexpr std::array kExternalDocsFields{text("description"), needed(text("url"))};
constexpr std::array kParameterFields{needed(text("name")),
                                      needed(text("in")),
                                      text("description"),
                                      said(flag("required")),
                                      flag("deprecated"),
                                      flag("allowEmptyValue"),
                                      said(text("style")),
                                      said(flag("explode")),
                                      flag("allowReserved"),
                                      one("schema", Kind::kSchema),
                                      any("example"),
                                      map("examples", Kind::kExample),
                                      map("content", Kind::kMediaType)};
constexpr std::array kHeaderFields{text("description"),
                                   said(flag("required")),
                                   flag("deprecated"),
                                   flag("allowEmptyValue"),
                                   said(text("style")),
                                   said(flag("explode")),
                                   flag("allowReserved"),
                                   one("schema", Kind::kSchema),
                                   any("example"),
                                   map("examples", Kind::kExample),
                                   map("content", Kind::kMediaType)};
constexpr std::array kRequestBodyFields{text("description"), said(flag("required")),
                                        needed(map("content", Kind::kMediaType))};
constexpr std::array kMediaTypeFields{one("schema", Kind::kSchema),
                                      new_in_3_2(one("itemSchema", Kind::kSchema)),
                                      any("example"),
                                      map("examples", Kind::kExample),
                                      map("encoding", Kind::kEncoding),
                                      new_in_3_2(list("prefixEncoding", Kind::kEncoding)),
                                      new_in_3_2(one("itemEncoding", Kind::kEncoding))};
constexpr std::array kEncodingFields{said(text("contentType")),
                                     map("headers", Kind::kHeader),
                                     said(text("style")),
                                     said(flag("explode")),
                                     flag("allowReserved"),
                                     new_in_3_2(map("encoding", Kind::kEncoding)),
                                     new_in_3_2(list("prefixEncoding", Kind::kEncoding)),
                                     new_in_3_2(one("itemEncoding", Kind::kEncoding))};
constexpr std::array kResponsesFields{one("*", Kind::kResponse)};
constexpr std::array kResponseFields{optional_in_3_2(needed(text("description"))),
                                     new_in_3_2(text("summary")), map("headers", Kind::kHeader),
                                     map("content", Kind::kMediaType), map("links", Kind::kLink)};
constexpr std::array kCallbackFields{one("*", Kind::kPathItem)};
constexpr std::array kExampleFields{text("summary"),
                                    text("description"),
                                    any("value"),
                                    new_in_3_2(any("dataValue")),
                                    new_in_3_2(text("serializedValue")),
                                    text("externalValue")};
constexpr std::array kLinkFields{text("operationRef"), text("operationId"), any("parameters"),
                                 any("requestBody"),   text("description"), any("server")};
constexpr std::array kTagFields{
    needed(text("name")),       text("description"),      new_in_3_2(text("summary")),
    new_in_3_2(text("parent")), new_in_3_2(text("kind")), one("externalDocs", Kind::kExternalDocs)};
constexpr std::array kComponentsFields{map("schemas", Kind::kSchema),
                                       map("responses", Kind::kResponse),
                                       map("parameters", Kind::kParameter),
                                       map("examples", Kind::kExample),
                                       map("requestBodies", Kind::kRequestBody),
                                       map("headers", Kind::kHeader),
                                       map("securitySchemes", Kind::kSecurityScheme),
                                       map("links", Kind::kLink),
                                       map("callbacks", Kind::kCallback),
                                       new_in_3_1(map("pathItems", Kind::kPathItem)),
                                       new_in_3_2(map("mediaTypes", Kind::kMediaType))};
constexpr std::array kSecuritySchemeFields{needed(text("type")),
                                           text("description"),
                                           text("name"),
                                           text("in"),
                                           text("scheme"),
                                           text("bearerFormat"),
                                           one("flows", Kind::kOAuthFlows),
                                           text("openIdConnectUrl"),
                                           new_in_3_2(text("oauth2MetadataUrl")),
                                           new_in_3_2(flag("deprecated"))};
constexpr std::array kOAuthFlowsFields{
    one("implicit", Kind::kOAuthFlow), one("password", Kind::kOAuthFlow),
    one("clientCredentials", Kind::kOAuthFlow), one("authorizationCode", Kind::kOAuthFlow),
    new_in_3_2(one("deviceAuthorization", Kind::kOAuthFlow))};
constexpr std::array kOAuthFlowFields{text("authorizationUrl"), text("tokenUrl"),
                                      text("refreshUrl"),
                                      new_in_3_2(text("deviceAuthorizationUrl")), any("scopes")};
constexpr std::array kSecurityRequirementFields{any("*")};
constexpr std::array kDiscriminatorFields{needed(text("propertyName")), any("mapping"),
                                          new_in_3_2(text("defaultMapping"))};
constexpr std::array kXmlFields{text("name"),      text("namespace"), text("prefix"),
                                flag("attribute"), flag("wrapped"),   new_in_3_2(text("nodeType"))};

struct KindRow {
  std::string_view name;
  std::span<const Field> fields;
  bool may_be_reference = false;
  bool is_statement = false;
  Version referred_to_since = Version::k30;
};

// In the order of ObjectKind.
constexpr std::array kKinds = std::to_array<KindRow>({
    {"a value", {}},
    {"an OpenAPI document", kRootFields},
    {"an Info Object", kInfoFields},
    {"a Contact Object", kContactFields},
    {"a License Object", kLicenseFields},
    {"a Server Object", kServerFields},
    {"a Server Variable Object", kServerVariableFields},
    {"a Paths Object", kPathsFields},
    {"a Path Item Object", kPathItemFields, true},
    {"an Operation Object", kOperationFields, false, true},
    {"an External Documentation Object", kExternalDocsFields},
    {"a Parameter Object", kParameterFields, true, true},
    {"a Header Object", kHeaderFields, true, true},
    {"a Request Body Object", kRequestBodyFields, true, true},
    {"a Media Type Object", kMediaTypeFields, true, true, Version::k32},
    {"an Encoding Object", kEncodingFields},
    {"a Responses Object", kResponsesFields, false, true},
    {"a Response Object", kResponseFields, true, true},
    {"a Callback Object", kCallbackFields, true},
    {"an Example Object", kExampleFields, true},
    {"a Link Object", kLinkFields, true},
    {"a Tag Object", kTagFields},
    {"a Components Object", kComponentsFields},
    {"a Security Scheme Object", kSecuritySchemeFields, true, true},
    {"an OAuth Flows Object", kOAuthFlowsFields},
    {"an OAuth Flow Object", kOAuthFlowFields},
    {"a Security Requirement Object", kSecurityRequirementFields},
    {"a Schema Object", {}, true},  // its fields are the keywords
    {"a Discriminator Object", kDiscriminatorFields},
    {"an XML Object", kXmlFields},
});

static_assert(kKinds.size() == static_cast<std::size_t>(ObjectKind::kXml) + 1);

const KindRow& row(ObjectKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

// The schema compiler (spec/schema) checks the form of most keywords.
Field field_of(const schema::KeywordRow& keyword) {
  switch (keyword.subschemas) {
    case schema::Subschemas::kOne: return one(keyword.name, Kind::kSchema);
    case schema::Subschemas::kList: return list(keyword.name, Kind::kSchema);
    case schema::Subschemas::kMap:
    case schema::Subschemas::kDependencies: return map(keyword.name, Kind::kSchema);
    case schema::Subschemas::kNone: break;
  }
  return any(keyword.name);
}

std::vector<Field> fields_of_schemas() {
  std::vector<Field> fields{one("xml", Kind::kXml), one("externalDocs", Kind::kExternalDocs),
                            said(one("discriminator", Kind::kDiscriminator))};
  for (const schema::KeywordRow& keyword : schema::keywords()) {
    if (std::ranges::find(fields, keyword.name, &Field::name) == fields.end()) {
      fields.push_back(keyword.is_statement ? said(field_of(keyword)) : field_of(keyword));
    }
  }
  return fields;
}

}  // namespace

std::span<const Field> fields_of(ObjectKind kind) {
  static const std::vector<Field> kSchemaFields = fields_of_schemas();
  return kind == Kind::kSchema ? std::span(kSchemaFields) : row(kind).fields;
}

const Field* find_field(ObjectKind kind, std::string_view name) {
  const auto fields = fields_of(kind);
  const auto found = std::find_if(fields.begin(), fields.end(), [name](const Field& field) {
    return field.name == name || field.name == "*";
  });
  return found == fields.end() ? nullptr : &*found;
}

bool has_field(ObjectKind kind, std::string_view name, Version version) {
  const Field* const field = find_field(kind, name);
  return field != nullptr && version >= field->since;
}

std::string_view name_of(ObjectKind kind) {
  return row(kind).name;
}

bool may_be_reference(ObjectKind kind, Version version) {
  return row(kind).may_be_reference && version >= row(kind).referred_to_since;
}

bool is_statement(ObjectKind kind) {
  return row(kind).is_statement;
}

}  // namespace spec::contract::loading
