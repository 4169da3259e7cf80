// Keywords about arrays. Source: JSON Schema 2020-12 Core §10.3.1, §11.2, Validation §6.4.4.

#include "spec/schema/validator/validator.hpp"

#include <algorithm>

namespace spec::schema::validator {

Verdict Validator::test_prefix_items(const std::vector<SchemaId>& schemas, const Frame& frame) {
  const auto& items = *frame.instance->get_ptr<const Json::array_t*>();
  Verdict verdict = Verdict::kValid;
  for (std::size_t i = 0; i < std::min(schemas.size(), items.size()); ++i) {
    verdict = worse(verdict, check(schemas[i], items[i], &frame));
    if (verdict == Verdict::kInvalid) {
      return verdict;
    }
    frame.mark(i);
  }
  return verdict;
}

Verdict Validator::test_items(const ItemsTable& table, const Frame& frame) {
  const auto& items = *frame.instance->get_ptr<const Json::array_t*>();
  const Entry& of_items = entries_[table.schema];
  Verdict verdict = Verdict::kValid;
  for (std::size_t i = table.first; i < items.size(); ++i) {
    // A fast path: long arrays are mostly of numbers or texts.
    if (of_items.step_count == 0 && allows(of_items.types, items[i], quick_type_of(items[i]))) {
      continue;
    }
    verdict = worse(verdict, check(table.schema, items[i], &frame));
    if (verdict == Verdict::kInvalid) {
      return verdict;
    }
  }
  frame.mark_all();
  return verdict;
}

Verdict Validator::test_contains(const ContainsTable& table, const Frame& frame) {
  const auto& items = *frame.instance->get_ptr<const Json::array_t*>();
  std::uint64_t found = 0;
  std::uint64_t open = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    switch (check(table.schema, items[i], &frame)) {
      case Verdict::kValid:
        ++found;
        frame.mark(i);
        break;
      case Verdict::kUndecided: ++open; break;
      case Verdict::kInvalid: break;
    }
    if (found > table.max) {
      return Verdict::kInvalid;
    }
  }
  if (found + open < table.min) {
    return Verdict::kInvalid;
  }
  return found < table.min || found + open > table.max ? Verdict::kUndecided : Verdict::kValid;
}

Verdict Validator::test_unevaluated_items(SchemaId schema, const Frame& frame) {
  if (frame.evaluated->has_all()) {
    return Verdict::kValid;
  }
  const auto& items = *frame.instance->get_ptr<const Json::array_t*>();
  Verdict verdict = Verdict::kValid;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!frame.evaluated->has(i)) {
      verdict = worse(verdict, check(schema, items[i], &frame));
    }
    if (verdict == Verdict::kInvalid) {
      return frame.evaluated->uncertain() ? Verdict::kUndecided : verdict;
    }
  }
  frame.evaluated->mark_all();
  return verdict;
}

}  // namespace spec::schema::validator
