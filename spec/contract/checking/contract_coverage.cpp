#include "spec/contract/checking/contract_coverage.hpp"

#include "spec/contract/checking/message_body.hpp"
#include "spec/contract/checking/violation_list.hpp"
#include "spec/contract/contract.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/constants.hpp"
#include "spec/schema/schema_summary.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <deque>
#include <iterator>
#include <numeric>

namespace spec::contract {

namespace {

using Json = nlohmann::json;
using schema::Schemas;
using schema::Summary;
using Points = Coverage::Points;

// Deeper places, and places beyond this number in one schema, are not counted.
constexpr std::size_t kMaxPlaceDepth = 16;
constexpr std::size_t kMaxPlaces = 2'000;

// Finds the points of a schema: all of them or, given an instance, those that it shows. All
// elements of an array are one place, so that a long array costs no more names than a short one.
class SchemaWalk {
 public:
  SchemaWalk(const Contract& contract, Points& points)
      : program_(contract.schemas().program()),
        summaries_(contract.possible_summaries()),
        points_(points) {}

  // Places near the root come first, so that only deep places of a large schema are left out.
  void run(schema::SchemaId schema, const Json* instance, const std::string& text) {
    places_.clear();
    of_instance_ = instance != nullptr;
    go_to({{schema}, of_instance_ ? Instances{instance} : Instances{}, text, nullptr, 0});
    std::size_t next = 0;
    while (next < places_.size()) {  // which grows
      const Place& place = places_[next++];
      const Summary& summary = summaries_.summary_of(place.schemas);
      look_at_value(summary, place);
      look_at_members(summary, place);
      look_at_elements(summary, place);
    }
  }

 private:
  using Instances = std::vector<const Json*>;

  struct Place {
    Schemas schemas;
    Instances instances;  // empty if the schema is walked without one
    std::string text;
    const Place* above = nullptr;
    std::size_t depth = 0;
  };

  void go_to(Place place) {
    for (schema::SchemaId& id : place.schemas) {
      id = schema::follow_references(program_, id);
    }
    bool is_open = false;  // a schema that contains itself
    for (const Place* above = place.above; above != nullptr; above = above->above) {
      is_open = is_open || above->schemas == place.schemas;
    }
    if (!is_open && places_.size() < kMaxPlaces && place.depth < kMaxPlaceDepth) {
      places_.push_back(std::move(place));
    }
  }

  // Adds a point below `above`, unless there are instances and none shows it.
  void go_below(const Place& above, const Schemas& schemas, Instances instances,
                std::string_view token) {
    if (of_instance_ && instances.empty()) {
      return;
    }
    std::string text = above.text;
    spec::json::append_token(text, token);
    points_[{PointKind::kField, text}];
    go_to({schemas, std::move(instances), std::move(text), &above, above.depth + 1});
  }

  bool shows_null(const Place& place) const {
    return !of_instance_ ||
           std::ranges::any_of(place.instances, [](const Json* one) { return one->is_null(); });
  }

  // The values that the instances have, or all if there are no instances; of equal values the
  // first.
  std::set<const Json*> shown_of(const schema::ConstantSet& constants, const Place& place) const {
    const std::vector<Json>& values = constants.values();
    std::set<const Json*> shown;
    const auto show = [&](const Json& value) {
      if (const auto index = constants.find(value)) {
        shown.insert(&values[*index]);
      }
    };
    if (!of_instance_) {
      std::ranges::for_each(values, show);
    }
    for (const Json* instance : place.instances) {
      show(*instance);
    }
    return shown;
  }

  // True if two of the values differ.
  static bool is_choice(const Summary& summary) {
    const Json* first = nullptr;
    return std::ranges::any_of(summary.listed, [&](const schema::ConstantSet* constants) {
      return std::ranges::any_of(constants->values(), [&](const Json& value) {
        first = first == nullptr ? &value : first;
        return !spec::json::equal(value, *first);
      });
    });
  }

  void look_at_value(const Summary& summary, const Place& place) {
    if (summary.nullable && shows_null(place)) {
      points_[{PointKind::kNull, place.text}];
    }
    if (!is_choice(summary)) {
      return;
    }
    std::set<std::string> texts;
    for (const schema::ConstantSet* constants : summary.listed) {
      for (const Json* value : shown_of(*constants, place)) {
        texts.insert(spec::json::write(*value));
      }
    }
    if (!texts.empty()) {
      points_[{PointKind::kEnumeration, place.text}].merge(texts);
    }
  }

  void look_at_members(const Summary& summary, const Place& place) {
    for (const auto& [name, schemas] : summary.properties) {
      Instances values;
      for (const Json* instance : place.instances) {
        if (const Json* value = member(*instance, name)) {
          values.push_back(value);
        }
      }
      go_below(place, schemas, std::move(values), name);
    }
    if (!summary.others.empty()) {
      go_below(place, summary.others, other_members(summary, place), "*");
    }
  }

  static const Json* member(const Json& instance, const std::string& name) {
    const auto found = instance.is_object() ? instance.find(name) : instance.end();
    return found != instance.end() ? &*found : nullptr;
  }

  static Instances other_members(const Summary& summary, const Place& place) {
    Instances values;
    for (const Json* instance : place.instances) {
      if (!instance->is_object()) {
        continue;
      }
      for (const auto& [name, value] : instance->items()) {
        if (summary.property(name) == nullptr) {
          values.push_back(&value);
        }
      }
    }
    return values;
  }

  void look_at_elements(const Summary& summary, const Place& place) {
    if (summary.elements.empty()) {
      return;
    }
    Instances elements;
    for (const Json* instance : place.instances) {
      if (instance->is_array()) {
        for (const Json& element : *instance) {
          elements.push_back(&element);
        }
      }
    }
    go_below(place, summary.elements, std::move(elements), "*");
  }

  const schema::Program& program_;
  const schema::Summaries& summaries_;
  Points& points_;
  bool of_instance_ = false;
  std::deque<Place> places_;  // found so far, unvisited ones last; none ever moves
};

bool is_form(const MediaTypeObject& content) {
  return content.kind == BodyKind::kForm || content.kind == BodyKind::kMultipart;
}

// Finds the points of an operation: all of them or, given a message, those that it shows.
class Finder {
 public:
  Finder(const Contract& contract, const Operation& operation)
      : operation_(operation), walk_(contract, points_) {
    add(PointKind::kOperation, "");
  }

  Points take() { return std::move(points_); }

  void look_at_everything() {
    look_at_parameters(nullptr);
    if (operation_.body) {
      look_at_contents("request ", operation_.body->contents);
    }
    for (const Response& declared : operation_.responses) {
      add(PointKind::kStatus, response_key(declared));
      look_at_contents(response_key(declared) + ' ', declared.contents);
    }
  }

  void look_at(const http::Request& request, const RequestReading& reading) {
    look_at_parameters(&reading);
    if (!operation_.body) {
      return;
    }
    if (const auto* content =
            checking::select_content(operation_.body->contents, request.headers)) {
      look_at_content("request ", *content, reading.body ? &*reading.body : nullptr);
    }
  }

  void look_at(const http::Response& response, const Json* body) {
    const Response* const declared = operation_.response(response.status);
    if (declared == nullptr) {
      return;
    }
    add(PointKind::kStatus, response_key(*declared));
    if (const auto* content = checking::select_content(declared->contents, response.headers)) {
      const std::string at = response_key(*declared) + ' ';
      if (body != nullptr || !content->media_type.is_json()) {
        look_at_content(at, *content, body);
        return;
      }
      const auto read = spec::json::read(response.body);
      look_at_content(at, *content, read ? &read.value() : nullptr);
    }
  }

 private:
  void add(PointKind kind, std::string text) { points_[{kind, std::move(text)}]; }

  void look_at_contents(const std::string& at, const std::vector<MediaTypeObject>& contents) {
    for (const MediaTypeObject& content : contents) {
      add(PointKind::kMediaType, at + content.place.key());
      if (content.schema && (content.media_type.is_json() || is_form(content))) {
        walk_.run(*content.schema, nullptr, at);
      }
    }
  }

  void look_at_content(const std::string& at, const MediaTypeObject& content, const Json* body) {
    add(PointKind::kMediaType, at + content.place.key());
    if (content.schema && body != nullptr) {
      walk_.run(*content.schema, body, at);
    }
  }

  void look_at_parameters(const RequestReading* reading) {
    for (const Parameter& parameter : operation_.parameters) {
      const std::string text =
          std::string(to_text(part_of(parameter.location))) + ' ' + parameter.name;
      const Json* const value = reading == nullptr ? nullptr : value_of(parameter, *reading);
      const bool is_given = reading == nullptr || value != nullptr;
      if (is_given && parameter.location != Location::kPath) {
        add(PointKind::kParameter, text);
      }
      if (!parameter.required && (reading == nullptr || !was_sent(parameter, *reading))) {
        add(PointKind::kParameter, text + " not given");
      }
      if (is_given && parameter.schema) {
        walk_.run(*parameter.schema, value, text);
      }
    }
  }

  static const Json* value_of(const Parameter& parameter, const RequestReading& reading) {
    const Json& part = reading.*parameters_in(parameter.location);
    const auto found = part.find(parameter.name);
    return found == part.end() ? nullptr : &*found;
  }

  // True also for a value that cannot be decoded.
  static bool was_sent(const Parameter& parameter, const RequestReading& reading) {
    const std::string pointer = checking::pointer_to(parameter.name);
    return value_of(parameter, reading) != nullptr ||
           std::ranges::any_of(reading.violations, [&pointer](const Violation& violation) {
             return violation.instance == pointer || violation.instance.starts_with(pointer + '/');
           });
  }

  const Operation& operation_;
  Points points_;
  SchemaWalk walk_;
};

// A point of the contract, and what was seen of it.
Point point_of(const Points::value_type& declared, const Points& seen) {
  const auto& [key, values] = declared;
  Point point{key.first, key.second, false, values.size(), {}};
  if (const auto found = seen.find(key); found != seen.end()) {
    point.seen = true;
    std::ranges::set_intersection(found->second, values, std::back_inserter(point.values_seen));
  }
  return point;
}

}  // namespace

std::string_view plural(PointKind kind) {
  static constexpr std::array<std::string_view, kPointKinds.size()> kTexts{
      "operations", "statuses", "media_types", "parameters", "fields", "nulls", "enumerations"};
  return kTexts.at(static_cast<std::size_t>(kind));
}

void Coverage::note(const Contract& contract, const Operation& operation,
                    const http::Request& request, const RequestReading& reading) {
  Finder finder(contract, operation);
  finder.look_at(request, reading);
  add(operation, finder.take());
}

void Coverage::note(const Contract& contract, const Operation& operation,
                    const http::Response& response, const Json* body) {
  Finder finder(contract, operation);
  finder.look_at(response, body);
  add(operation, finder.take());
}

void Coverage::add(const Operation& operation, const Points& points) {
  const std::lock_guard lock(mutex_);
  Points& seen = seen_[operation.id];
  for (const auto& [point, values] : points) {
    seen[point].insert(values.begin(), values.end());
  }
}

OperationCoverage Coverage::report(const Contract& contract, const Operation& operation) const {
  Finder finder(contract, operation);
  finder.look_at_everything();
  OperationCoverage coverage{operation.id, operation.name, {}};
  const Points nothing;
  const std::lock_guard lock(mutex_);
  const auto known = seen_.find(operation.id);
  const Points& seen = known == seen_.end() ? nothing : known->second;
  for (const auto& declared : finder.take()) {
    coverage.points.push_back(point_of(declared, seen));
  }
  return coverage;
}

bool Coverage::has_seen(const Operation& operation) const {
  const std::lock_guard lock(mutex_);
  return seen_.contains(operation.id);
}

CoverageReport Coverage::report(const Contract& contract) const {
  CoverageReport whole;
  for (const Operation& operation : contract.operations()) {
    whole.operations.push_back(report(contract, operation));
  }
  return whole;
}

std::vector<const Point*> OperationCoverage::gaps() const {
  std::set<std::string_view> unseen;
  for (const Point& point : points) {
    if (point.kind == PointKind::kStatus && !point.seen) {
      unseen.insert(point.text);
    }
  }
  std::vector<const Point*> missing;
  for (const Point& point : points) {
    const std::string_view first = std::string_view(point.text).substr(0, point.text.find(' '));
    if (!point.seen && (point.kind == PointKind::kStatus || !unseen.contains(first))) {
      missing.push_back(&point);
    }
  }
  return missing;
}

std::size_t CoverageReport::points() const {
  return std::accumulate(operations.begin(), operations.end(), std::size_t{0},
                         [](std::size_t sum, const OperationCoverage& operation) {
                           return sum + operation.points.size();
                         });
}

std::size_t CoverageReport::seen() const {
  return std::accumulate(operations.begin(), operations.end(), std::size_t{0},
                         [](std::size_t sum, const OperationCoverage& operation) {
                           return sum + static_cast<std::size_t>(
                                            std::ranges::count_if(operation.points, &Point::seen));
                         });
}

double CoverageReport::percent() const {
  constexpr double kWhole = 100.0;
  return points() == 0 ? kWhole
                       : kWhole * static_cast<double>(seen()) / static_cast<double>(points());
}

std::string percent_text(std::size_t seen, std::size_t points) {
  const std::size_t tenths = points == 0 ? 1000 : seen * 1000 / points;
  return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10);
}

}  // namespace spec::contract
