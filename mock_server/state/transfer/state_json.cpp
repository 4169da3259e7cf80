#include "mock_server/state/cells.hpp"
#include "mock_server/state/scenario_state.hpp"
#include "mock_server/state/session_clock.hpp"
#include "mock_server/state/transfer/state_content.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/load_error.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <set>
#include <utility>

namespace mock_server::state::transfer {
namespace {

using nlohmann::json;

constexpr const char* kFormatName = "counterpart-state";
constexpr std::int64_t kMaxClock = 320'000'000'000'000'000;  // microseconds: 10,000 years

// A text, or {"base64": ...} for bytes that are none.
json json_of_bytes(const std::string& bytes) {
  return spec::text::is_utf8(bytes) ? json(bytes) : json{{"base64", spec::text::to_base64(bytes)}};
}

json json_of_cells(const Cells& cells) {
  json all = json::object();
  for (const auto& [key, cell] : cells) {
    json value = json_of_bytes(*cell.text);
    if (cell.expires) {
      value = {{"text", std::move(value)},
               {"expires_us", cell.expires->time_since_epoch().count()}};
    }
    all[key] = std::move(value);
  }
  return all;
}

json json_of_headers(const spec::http::Headers& headers) {
  json all = json::array();
  for (const auto& [name, value] : headers.lines()) {
    all.push_back({json_of_bytes(name), json_of_bytes(value)});
  }
  return all;
}

json json_of_entry(const Entry& entry) {
  json hidden = json::array();
  for (const HiddenField& field : entry.hidden) {
    hidden.push_back(field.name);
  }
  return {{"time_us", entry.time.time_since_epoch().count()},
          {"took_ns", entry.took.count()},
          {"peer", entry.peer},
          {"operation", entry.operation},
          {"chosen_by", json_of_bytes(entry.chosen_by)},
          {"request_violations", json_of_bytes(entry.violations)},
          {"response_violations", json_of_bytes(entry.response_violations)},
          {"fault", entry.fault},
          {"hidden", std::move(hidden)},
          {"request",
           {{"method", json_of_bytes(entry.request.method)},
            {"target", json_of_bytes(entry.request.target)},
            {"headers", json_of_headers(entry.request.headers)},
            {"body", json_of_bytes(entry.request.body)},
            {"body_bytes", entry.request_body_bytes}}},
          {"response",
           {{"status", entry.response.status},
            {"reason", json_of_bytes(entry.response.reason)},
            {"headers", json_of_headers(entry.response.headers)},
            {"body", json_of_bytes(entry.response.body)},
            {"body_bytes", entry.response_body_bytes}}}};
}

json json_of_session(const SessionContent& session) {
  json snapshots = json::object();
  for (const auto& [name, cells] : session.snapshots) {
    snapshots[name] = json_of_cells(cells);
  }
  json entries = json::array();
  for (const Entry& entry : session.entries) {
    entries.push_back(json_of_entry(entry));
  }
  return {{"name", session.name},
          {"cells", json_of_cells(session.cells)},
          {"snapshots", std::move(snapshots)},
          {"journal", {{"is_partial", session.is_partial}, {"entries", std::move(entries)}}}};
}

// A value of the file, and where it is. What does not fit throws.
class Place {
 public:
  Place(const std::string& file, const json& value, std::string pointer)
      : file_(file), value_(value), pointer_(std::move(pointer)) {}

  [[noreturn]] void fail(const std::string& message) const {
    throw spec::LoadError(spec::Problem{file_, 0, 0, pointer_, message});
  }

  bool has(const char* name) const { return value_.is_object() && value_.contains(name); }

  Place at(const std::string& name) const {
    const auto found = value_.is_object() ? value_.find(name) : value_.end();
    if (!value_.is_object() || found == value_.end()) {
      fail("must have a member " + spec::text::in_quotes(name));
    }
    std::string pointer = pointer_;
    spec::json::append_token(pointer, name);
    return {file_, *found, std::move(pointer)};
  }

  // The elements of an array.
  std::vector<Place> elements() const {
    if (!value_.is_array()) {
      fail("must be an array");
    }
    std::vector<Place> all;
    for (std::size_t at = 0; at < value_.size(); ++at) {
      all.emplace_back(file_, value_[at], pointer_ + '/' + std::to_string(at));
    }
    return all;
  }

  std::vector<std::string> names() const {
    if (!value_.is_object()) {
      fail("must be an object");
    }
    std::vector<std::string> all;
    for (const auto& member : value_.items()) {
      all.push_back(member.key());
    }
    return all;
  }

  std::string text() const {
    if (!value_.is_string()) {
      fail("must be a text");
    }
    return value_.get<std::string>();
  }

  std::string bytes() const {
    if (!has("base64")) {
      return text();
    }
    auto bytes = spec::text::from_base64(at("base64").text());
    if (!bytes) {
      fail("must be base64");
    }
    return std::move(*bytes);
  }

  std::int64_t number() const {
    const auto number = spec::json::to_int64(value_);
    if (!number) {
      fail("must be a whole number");
    }
    return *number;
  }

  std::uint64_t count() const {
    if (number() < 0) {
      fail("must not be negative");
    }
    return static_cast<std::uint64_t>(number());
  }

  bool flag() const {
    if (!value_.is_boolean()) {
      fail("must be true or false");
    }
    return value_.get<bool>();
  }

 private:
  const std::string& file_;
  const json& value_;
  std::string pointer_;
};

TimePoint time_at(const Place& place) {
  return TimePoint(std::chrono::microseconds(place.number()));
}

std::vector<std::string> texts_at(const Place& place) {
  std::vector<std::string> all;
  for (const Place& one : place.elements()) {
    all.push_back(one.text());
  }
  return all;
}

// The error in the text of a cell of that name; "" for none.
std::string problem_of_cell(std::string_view key, const std::string& text) {
  if (key == Session::kClockCell) {
    const ClockSetting clock = ClockSetting::read(text);
    const auto limit = std::chrono::microseconds(kMaxClock);
    const auto is_far = [&](std::chrono::microseconds time) {
      return time > limit || time < -limit;
    };
    return clock.text() != text || is_far(clock.offset) ||
                   (clock.frozen_at && is_far(clock.frozen_at->time_since_epoch()))
               ? "must be microseconds from the machine's clock and, if it is frozen, since 1970"
               : "";
  }
  if (key == kArmedCell) {
    return write_armed(read_armed(text)) != text ? "must be a line for each armed scenario: "
                                                   "microseconds since 1970, a blank, its name"
                                                 : "";
  }
  const bool is_number = key == kSeedCell || key.starts_with(kNumberCells) ||
                         key.starts_with(kOrderCells) || key.starts_with(kIssuedCells);
  if (is_number && !spec::text::parse_number<std::uint64_t>(text)) {
    return "must be a number in decimal digits";
  }
  const bool is_record = key.starts_with(record_cells()) && !text.empty();
  return (is_record || key.starts_with(kStepCells)) && !spec::json::read(text)
             ? "must be JSON, or \"\" for a record that was removed"
             : "";
}

Cells cells_at(const Place& place) {
  Cells cells;
  for (const std::string& key : place.names()) {
    const Place value = place.at(key);
    Cell cell;
    if (value.has("expires_us")) {
      cell.text = std::make_shared<const std::string>(value.at("text").bytes());
      cell.expires = time_at(value.at("expires_us"));
    } else {
      cell.text = std::make_shared<const std::string>(value.bytes());
    }
    if (const std::string problem = problem_of_cell(key, *cell.text); !problem.empty()) {
      value.fail(problem + "; export it again, or remove this cell");
    }
    cells.emplace(key, std::move(cell));
  }
  return cells;
}

spec::http::Headers headers_at(const Place& place) {
  spec::http::Headers headers;
  for (const Place& line : place.elements()) {
    const auto parts = line.elements();
    if (parts.size() != 2) {
      line.fail("must be a name and a value");
    }
    headers.add(parts[0].bytes(), parts[1].bytes());
  }
  return headers;
}

int status_at(const Place& place) {
  const std::int64_t status = place.number();
  if (status < 0 || status > 999) {
    place.fail("must be a status");
  }
  return static_cast<int>(status);
}

Entry entry_at(const Place& place) {
  Entry entry;
  entry.time = time_at(place.at("time_us"));
  entry.took = std::chrono::nanoseconds(place.at("took_ns").number());
  entry.peer = place.at("peer").text();
  entry.operation = place.at("operation").text();
  entry.chosen_by = place.at("chosen_by").bytes();
  entry.violations = place.at("request_violations").bytes();
  entry.response_violations = place.at("response_violations").bytes();
  entry.fault = place.at("fault").text();
  for (const std::string& name : texts_at(place.at("hidden"))) {
    entry.hidden.push_back({name, 0});
  }
  const Place request = place.at("request");
  entry.request = {request.at("method").bytes(), request.at("target").bytes(),
                   headers_at(request.at("headers")), request.at("body").bytes()};
  entry.request_body_bytes = request.at("body_bytes").count();
  const Place response = place.at("response");
  entry.response = {status_at(response.at("status")), response.at("reason").bytes(),
                    headers_at(response.at("headers")), response.at("body").bytes()};
  entry.response_body_bytes = response.at("body_bytes").count();
  return entry;
}

SessionContent session_at(const Place& place) {
  SessionContent session;
  session.name = place.at("name").text();
  if (!session.name.empty() && !is_session_name(session.name)) {
    place.at("name").fail("must be a session's name: 1 to 64 letters, digits, \".\", \"_\", \"-\"");
  }
  session.cells = cells_at(place.at("cells"));
  const Place snapshots = place.at("snapshots");
  for (const std::string& name : snapshots.names()) {
    session.snapshots.emplace(name, cells_at(snapshots.at(name)));
  }
  if (session.snapshots.size() > Session::kMaxSnapshots) {
    snapshots.fail("must have at most " + std::to_string(Session::kMaxSnapshots) + " members");
  }
  const Place journal = place.at("journal");
  session.is_partial = journal.at("is_partial").flag();
  for (const Place& entry : journal.at("entries").elements()) {
    session.entries.push_back(entry_at(entry));
  }
  return session;
}

// Throws unless it is such a file, of a version that is known.
void check_format(const Place& root) {
  if (!root.has("format") || !root.has("version") || root.at("format").bytes() != kFormatName) {
    root.fail("is no file of \"mock_server state export\"");
  }
  const std::int64_t version = root.at("version").number();
  if (version < 1 || version > kVersion) {
    root.fail("is of version " + std::to_string(version) + ", but this mock_server reads up to " +
              std::to_string(kVersion) + "; use a newer one");
  }
}

}  // namespace

std::string write_content(const StateContent& content) {
  json all{{"format", kFormatName},
           {"version", kVersion},
           {"contract",
            {{"title", content.contract.title},
             {"fingerprint", content.contract.fingerprint},
             {"operations", read_lines(content.contract.operations)}}},
           {"sessions", json::array()}};
  if (content.armed_for_all) {
    all["armed_for_all"] = *content.armed_for_all;
  }
  for (const SessionContent& session : content.sessions) {
    all["sessions"].push_back(json_of_session(session));
  }
  return all.dump(1) + '\n';
}

StateContent read_content(const std::string& file, std::string_view text) {
  const auto read = spec::json::read(text);
  if (!read) {
    throw spec::LoadError(file, "is no JSON, or was cut, at byte " +
                                    std::to_string(read.error().byte_offset) + ": " +
                                    read.error().message + "; export it again");
  }
  const Place root(file, *read, "");
  check_format(root);
  StateContent content;
  const Place contract = root.at("contract");
  content.contract = {contract.at("title").text(), contract.at("fingerprint").text(),
                      write_lines(texts_at(contract.at("operations")))};
  if (root.has("armed_for_all")) {
    content.armed_for_all = texts_at(root.at("armed_for_all"));
  }
  std::set<std::string> names;
  for (const Place& session : root.at("sessions").elements()) {
    content.sessions.push_back(session_at(session));
    if (!names.insert(content.sessions.back().name).second) {
      session.at("name").fail("is the name of two sessions");
    }
  }
  return content;
}

}  // namespace mock_server::state::transfer
