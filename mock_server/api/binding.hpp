#pragma once

// Bindings after load: which behaviour an operation has, with which records and rules. Plain data,
// const after load. fixtures/README.md says what each means.

#include "mock_server/api/behaviour.hpp"
#include "mock_server/api/collection.hpp"
#include "mock_server/api/condition.hpp"
#include "mock_server/api/response_template.hpp"
#include "mock_server/state/rate_limit.hpp"
#include "spec/contract/contract.hpp"
#include "spec/http/message.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::api {

// The delivery of a stream's items: one after another, in rounds.
struct StreamPlan {
  static constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

  std::chrono::milliseconds pace{0};  // from one item to the next, by the session's clock
  std::int64_t rounds = 1;
  bool stays_open = false;  // after the last item, for those that are pushed
};

// A response that was made and validated once and is sent as it is, but for its templates.
struct PreparedResponse {
  spec::http::Response response;
  std::string chosen_by;  // for the journal: the rule or record, with file and line
  std::shared_ptr<ResponseTemplate> made{};  // null: it has none
  std::optional<StreamPlan> stream{};
};

struct Rule {
  std::string name;
  std::vector<Condition> when;  // empty: always
  PreparedResponse response;
  spec::document::Node node;  // the rule
  spec::document::Node body;  // its response's body; an empty handle if it has none
  bool is_whole = true;       // false: it could not be read, and was reported
};

enum class OnNull : std::uint8_t { kClear, kKeep, kRemove };

struct UpdateField {
  std::string name;
  OnNull on_null = OnNull::kClear;
};

// A member of the record made from a body member: `before` value `after`.
struct Derivation {
  std::string member;
  Place from;
  std::string before;
  std::string after;
};

// kContains: the value is a text, or for an element anything, that has the given text in it.
enum class Comparison : std::uint8_t {
  kEqual,
  kAtOrAfter,
  kAtOrBefore,
  kAfter,
  kBefore,
  kContains
};

struct Filter {
  Place given;
  std::vector<std::string> inside;  // an inner array of the element; empty: the element itself
  std::vector<std::string> at;      // below the element, or below the inner array's elements
  Comparison is = Comparison::kEqual;
  std::vector<std::string> all{};  // given values that every element satisfies
};

struct Paging {
  std::optional<Place> size;
  std::optional<Place> number;
  std::optional<Place> offset;  // how many elements come before the page
  std::optional<Place> cursor;  // the key of the last record before the page
  std::optional<Place> before;  // the key of the first record after the page
  std::int64_t default_size = 10;
  std::int64_t default_number = 0;
  std::int64_t first = 0;
};

// The totals and links of a list, and their places in the response.
// kShown: how many are on the page. kFirstKey, kLastKey: of its records. kNextUrl, kPreviousUrl: of
// the pages beside this one; kLinks: of those, the first and the last, as the Link header writes
// them (RFC 8288).
enum class Total : std::uint8_t {
  kCount,
  kPages,
  kPage,
  kOffset,
  kSize,
  kMore,
  kNext,
  kShown,
  kIsFirst,
  kIsLast,
  kIsEmpty,
  kNextUrl,
  kPreviousUrl,
  kFirstUrl,
  kLastUrl,
  kFirstKey,
  kLastKey,
  kLinks
};

struct TotalPlace {
  Total is = Total::kCount;
  std::vector<std::string> at;  // in the body; empty: in the header
  std::string header;
};

struct ListPlan {
  std::vector<std::string> elements;  // the array inside the record
  std::vector<std::string> into;      // where the page goes in the response
  std::vector<std::string> element;   // where each element has the record; empty: it is the record
  std::optional<std::vector<std::string>> order_by;
  std::vector<Filter> filters;
  std::optional<Paging> paging;
  spec::schema::Schemas shown;     // of the elements in the response
  std::optional<Place> sort;       // "name", "-name", "name:desc", "newest", several with commas
  std::optional<Place> direction;  // "desc" turns the order round
  std::vector<TotalPlace> totals;
};

// The value that an action or a job gives to a member: the session's time, null, or a given one.
// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's moves assert, they never throw.
struct Setting {
  std::vector<std::string> at;
  bool is_now = false;
  nlohmann::json value;
};

// What happens to a record by itself, so long after the request.
struct LaterStep {
  std::int64_t seconds = 0;
  std::vector<Setting> set;
};

// The places in the response of a token that the mock accepts from then on, and of its lifetime in
// seconds or its end; without the latter it has none.
struct IssuedToken {
  std::vector<std::string> token;
  std::vector<std::string> until;
};

struct UpdatePlan {
  bool every_field = false;  // all members of the body
  std::vector<UpdateField> fields;
  std::vector<Derivation> derivations;
  std::vector<Setting> set;  // before the fields
};

struct FilePlan {
  std::string media_type;
  bool render_invoice = false;
  std::vector<std::string> file;  // where the record names its file; empty when rendered
  std::string file_name;          // "{key}" stands for the key; "" for none
};

// The records that an operation is about belong to one that its request names.
struct Within {
  std::vector<std::string> at;  // the member that names the parent
  Place given;
  const Collection* in = nullptr;  // that must have the parent; null: not looked for
};

struct Binding {
  const spec::contract::Operation* operation = nullptr;
  Behaviour behaviour = Behaviour::kRead;
  const Collection* collection = nullptr;  // null for a match without one
  std::optional<Place> key;
  std::vector<std::string> hide;
  std::vector<std::string> into;  // where the response has the record; empty: it is the record
  std::vector<std::string> from;  // where the request has the record; empty: it is the record
  bool shows_record = true;       // else the response is the contract's example
  // Members that the response calls otherwise than the record: by their names there.
  std::vector<std::pair<std::string, std::string>> names;
  std::vector<std::vector<std::string>> shows_key;  // where else the response has the record's key
  std::vector<std::vector<std::string>> shows_address;  // where it has the path of the record
  bool creates = false;                                 // replace: also a record that is not there
  std::vector<Within> within;
  std::vector<Rule> rules;
  UpdatePlan update;
  std::vector<LaterStep> after;       // in the order of their time
  std::optional<IssuedToken> issues;  // of a login
  ListPlan list;
  FilePlan file;
  std::optional<StreamPlan> stream;  // of the operation's responses that are streams
  // By index of the record in the collection: the response of an unchanged record (read, update).
  std::vector<std::shared_ptr<const PreparedResponse>> prepared;
  spec::document::Node node;

  Shows shows() const { return row_of(behaviour).shows; }

  // True if every response is made of one whole record and nothing else, so that those of the
  // fixtures' records can be made at load.
  bool is_prepared() const {
    return shows() == Shows::kRecord && into.empty() && within.empty() && shows_record &&
           !update.every_field && behaviour != Behaviour::kAct &&
           !collection->shows_examples_first() && !requires_headers();
  }

  // True if the response has headers whose values are generated for each request.
  bool requires_headers() const {
    const auto* const response = operation->response(operation->success_status());
    return response != nullptr &&
           std::ranges::any_of(response->headers, &spec::contract::Parameter::required);
  }

  // True if it changes which records there are, or shows several.
  bool is_about_collection() const {
    return shows() == Shows::kMade || shows() == Shows::kRemoved || shows() == Shows::kRecords;
  }
};

// A credential that is accepted or revoked, and its restrictions.
struct CredentialLine {
  std::string text;  // the whole token, or its start
  bool is_prefix = false;
  bool accepted = true;
  std::vector<std::string> methods;  // empty: every method
  std::vector<Condition> records;    // which records it sees; empty: every one

  bool fits(std::string_view credential) const {
    return is_prefix ? credential.starts_with(text) : credential == text;
  }
};

struct RateLimitLine {
  std::vector<std::string> operations;  // empty: every one
  state::RateLimit limit;
};

}  // namespace mock_server::api
