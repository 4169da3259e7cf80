#pragma once

// Members of one object that speak of the same thing are made to agree: a count with the list
// beside it, a total with its parts, a start with its end. Changes values, never names. Used by
// this folder only.

#include <nlohmann/json.hpp>

#include <vector>

namespace spec::schema::samples {

// What was changed in a value, so that it can be undone: the caller asks the judge whether the
// value is still valid. Holds places in the value, which must live and keep its members meanwhile.
class Agreement {
 public:
  // Changes `value`; true when anything is other than before.
  bool settle(nlohmann::json& value);

  // Makes the value what it was.
  void undo();

 private:
  struct Change {
    nlohmann::json* first = nullptr;
    nlohmann::json* second = nullptr;  // that `first` was exchanged with; null: it was set
    nlohmann::json before;             // of what was set
  };

  void settle_object(nlohmann::json& object);
  void order(nlohmann::json* first, nlohmann::json* second);
  void set(nlohmann::json& member, nlohmann::json value);

  std::vector<Change> changes_;
};

}  // namespace spec::schema::samples
