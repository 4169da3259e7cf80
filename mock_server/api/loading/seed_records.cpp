#include "mock_server/api/derived_members.hpp"
#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/api/nested_collection.hpp"
#include "mock_server/api/record_source.hpp"
#include "mock_server/api/references.hpp"
#include "mock_server/examples/response_example.hpp"
#include "spec/contract/resources/state_words.hpp"
#include "spec/contract/resources/states.hpp"
#include "spec/schema/patterns/pattern.hpp"
#include "spec/text/names.hpp"
#include "spec/text/random.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace mock_server::api::loading {
namespace {

using nlohmann::json;
using spec::contract::Contract;
using spec::schema::generate::Generator;
using spec::schema::patterns::SearchBudget;

namespace resources = spec::contract::resources;

// States that follow each other: who has the later one had the earlier.
constexpr std::array<std::string_view, 4> kCourses{
    "approved paid processing shipped fulfilled delivered completed closed returned refunded",
    "started completed succeeded failed", "sent opened signed paid", "published archived"};

// True if what happened at a time of that mark ("paid") has happened in the state.
bool has_happened(const std::string& mark, const std::string& state) {
  const std::string own = resources::stem_of(mark);
  const auto is_state = [&state](const std::string& word) {
    return resources::stem_of(word) == resources::stem_of(state);
  };
  const auto states = resources::text_words(resources::words_of_verb(mark).states);
  return is_state(mark) || std::ranges::any_of(states, is_state) ||
         std::ranges::any_of(kCourses, [&](std::string_view course) {
           const auto words = resources::text_words(course);
           const auto at = std::ranges::find(words, own, &resources::stem_of);
           return std::any_of(at, words.end(), is_state);
         });
}

// Shared by the collections that it seeds, from any thread: by one at a time.
class Seeder : public std::enable_shared_from_this<Seeder> {
 public:
  Seeder(const Contract& contract, std::span<const Binding> bindings, const SeedPlan& plan,
         Collections& collections)
      : contract_(contract),
        bindings_(bindings),
        plan_(plan),
        collections_(pointers_to(collections)),
        generator_(contract.schemas()),
        references_(contract, bindings, collections_, [this](Collection& collection) {
          const SearchBudget all = whole_budget();
          fill(collection);
        }) {}

  void run() {
    for (Collection* const collection : collections_) {
      plan(*collection);
    }
  }

  References& references() { return references_; }

 private:
  struct SeedTarget {
    Seeds* seeds = nullptr;  // which own this; null: the collection gets none
    bool is_filled = false;
    std::size_t examples = 0;  // that its first records are
  };

  // Whatever the request has left that asks first.
  static SearchBudget whole_budget() {
    return {std::numeric_limits<std::uint64_t>::max(), [] { return false; }};
  }

  static std::vector<Collection*> pointers_to(Collections& collections) {
    std::vector<Collection*> pointers;
    for (auto& [name, collection] : collections) {
      pointers.push_back(&collection);
    }
    return pointers;
  }

  // The first, or one that says to which parents the records belong, if the keys need none and each
  // parent has a key.
  const Binding* binding_of(const Collection& collection) const {
    const Binding* found = nullptr;
    for (const Binding& binding : bindings_) {
      const bool has_parents =
          found != nullptr && found->within.empty() && !collection.is_scoped() &&
          !binding.within.empty() && std::ranges::all_of(binding.within, [&](const Within& within) {
            return within.in != nullptr && within.in != &collection && within.in->id();
          });
      if (binding.collection == &collection && (found == nullptr || has_parents)) {
        found = &binding;
      }
    }
    return found;
  }

  // True if some operation is about the records whatever parents they have.
  bool is_without_parents(const Collection& collection) const {
    return std::ranges::any_of(bindings_, [&](const Binding& binding) {
      return binding.collection == &collection && binding.within.empty();
    });
  }

  Collection* seeded(const Collection* collection) const {
    const auto found = std::ranges::find(collections_, collection);
    return found == collections_.end() ? nullptr : *found;
  }

  bool is_planned(const Collection& collection) const {
    return plans_.at(&collection).seeds != nullptr;
  }

  bool is_listed(const Collection& collection, bool without_parents = false) const {
    return std::ranges::any_of(bindings_, [&](const Binding& binding) {
      return binding.collection == &collection && binding.shows() == Shows::kRecords &&
             (!without_parents || binding.within.empty());
    });
  }

  // True if some list of the records needs no parents, or such as there are.
  bool is_reachable(const Collection& collection) {
    return std::ranges::any_of(bindings_, [&](const Binding& binding) {
      const bool is_list = collection.is_single() || binding.shows() == Shows::kRecords;
      return binding.collection == &collection && is_list &&
             std::ranges::all_of(binding.within, [&](const Within& within) {
               Collection* const parent = seeded(within.in);
               if (parent != nullptr) {
                 plan(*parent);
               }
               return parent != nullptr && (!parent->records().empty() || is_planned(*parent));
             });
    });
  }

  // Parents before those that belong to them.
  void plan(Collection& collection) {
    const Binding* const binding = binding_of(collection);
    if (!plans_.try_emplace(&collection).second || binding == nullptr || plan_.count == 0 ||
        !collection.shows_examples_first() || !collection.records().empty()) {
      return;
    }
    if (!collection.is_single() && !is_listed(collection)) {
      return;  // nobody could know their keys
    }
    if (!is_reachable(collection)) {
      collection.set_unseeded(
          "the collection of the parents of its records is unknown or empty; add records in "
          "fixtures, or by PUT /_mock/records/" +
          collection.name() + "/KEY");
      return;
    }
    auto seeds = std::make_shared<Seeds>();
    seeds->planned = collection.is_single() ? std::min<std::size_t>(plan_.count, 1) : plan_.count;
    seeds->make = [self = shared_from_this(), &collection] { self->make(collection); };
    plans_[&collection].seeds = seeds.get();
    collection.set_listed_below(!collection.is_scoped() && !collection.is_single() &&
                                !is_listed(collection, true));
    collection.set_seeds(std::move(seeds));
  }

  // All of the collection, with keys of others, which then have their own records but no keys yet.
  void make(Collection& collection) {
    SearchBudget::throw_if_exhausted();
    const auto lock = references_.lock();
    const SearchBudget all = whole_budget();
    if (!collection.is_seeded()) {
      fill(collection);
      references_.add(collection);
      add_up(collection);
      plans_.at(&collection).seeds->is_made = true;
    }
  }

  // But for what examples state.
  void add_up(Collection& collection) const {
    const auto schemas = record_source(contract_, bindings_, collection).schemas;
    auto& records = collection.records();
    for (std::size_t i = plans_.at(&collection).examples; i < records.size(); ++i) {
      add_up_lines(contract_, schemas, nullptr, records[i].value);
    }
  }

  void fill(Collection& collection) {
    if (!is_planned(collection) || std::exchange(plans_.at(&collection).is_filled, true)) {
      return;
    }
    const Binding& binding = *binding_of(collection);
    for (const Within& within : binding.within) {
      if (Collection* const parent = seeded(within.in)) {
        fill(*parent);
      }
    }
    if (lacks_parents(binding) && !is_without_parents(collection)) {
      return;
    }
    const RecordSource source = record_source(contract_, bindings_, collection);
    const std::vector<json> examples = example_records(collection);
    Seeds& seeds = *plans_.at(&collection).seeds;
    plans_.at(&collection).examples = examples.size();
    for (std::size_t number = 1; number <= seeds.planned; ++number) {
      add_one(collection, binding, source, number,
              number <= examples.size() ? examples[number - 1] : json(nullptr));
    }
    if (collection.records().empty()) {
      seeds.why_none = "no record can be generated from the schema of its responses";
    }
  }

  bool lacks_parents(const Binding& binding) const {
    const Collection* const nearest =
        binding.within.empty() ? nullptr : seeded(binding.within.back().in);
    return !binding.within.empty() && (nearest == nullptr || nearest->records().empty());
  }

  // The contract's examples of the collection's records: of one, then of lists.
  std::vector<json> example_records(const Collection& collection) const {
    std::vector<json> found;
    const auto add = [&](const Binding& binding, const json& shown) {
      json record = record_of(binding, shown);
      const json* const key = collection.id() ? walk(&record, *collection.id()) : nullptr;
      const bool is_known = std::ranges::any_of(found, [&](const json& one) {
        const json* const own = collection.id() ? walk(&one, *collection.id()) : nullptr;
        return key == nullptr || (own != nullptr && *own == *key);
      });
      if (record.is_object() && !is_known && (key != nullptr || collection.is_single())) {
        found.push_back(std::move(record));
      }
    };
    for (const Binding* const binding : showing(collection)) {
      each_example(*binding, [&](const json& shown) { add(*binding, shown); });
    }
    return found;
  }

  // The bindings that show its records: one of them, then several.
  std::vector<const Binding*> showing(const Collection& collection) const {
    std::vector<const Binding*> found;
    for (const Binding& binding : bindings_) {
      if (binding.collection == &collection && row_of(binding.behaviour).rank &&
          binding.shows_record) {
        found.push_back(&binding);
      }
    }
    std::stable_partition(found.begin(), found.end(), [](const Binding* binding) {
      return binding->shows() != Shows::kRecords;
    });
    return found;
  }

  // Calls `visit` with each record in the valid examples of the binding's responses.
  template <typename Visit>
  void each_example(const Binding& binding, Visit visit) const {
    const auto* const response = binding.operation->response(binding.operation->success_status());
    const auto* const content =
        response != nullptr ? spec::contract::json_content(response->contents) : nullptr;
    if (content == nullptr) {
      return;
    }
    for (const auto& example : content->examples) {
      const bool is_list = binding.shows() == Shows::kRecords;
      const json* const at = walk(&*example.value, is_list ? binding.list.into : binding.into);
      if (at == nullptr || !examples::is_valid_example(contract_, {*content}, *example.value)) {
        continue;
      }
      for (const json& one : is_list ? *at : json::array({*at})) {
        if (const json* const record = walk(&one, binding.list.element)) {
          visit(*record);
        }
      }
    }
  }

  // What a view shows, with the members' names in the record.
  static json record_of(const Binding& binding, const json& shown) {
    json record = shown;
    for (const auto& [name, own] : binding.names) {
      if (record.is_object() && record.contains(name)) {
        record[own] = record[name];
        record.erase(name);
      }
    }
    return record;
  }

  // `example`, or null: then the record is generated, as are members that the example lacks.
  void add_one(Collection& collection, const Binding& binding, const RecordSource& source,
               std::size_t number, const json& example) {
    const RecordMaker maker{contract_, generator_, plan_.today,
                            spec::schema::generate::Row{
                                spec::text::text_hash(collection.name(), plan_.seed), number - 1}};
    const std::uint64_t seed =
        spec::text::text_hash(collection.name() + '#' + std::to_string(number), plan_.seed);
    json record = generated_record(maker, source, seed);
    if (record.is_object() && !source.schemas.empty()) {
      agree_with_state(source.schemas, record);
    }
    if (example.is_object()) {
      record = with_required(source, record, example);
    }
    if (!record.is_object()) {
      return;
    }
    const json* const shown =
        collection.id() && example.is_object() ? walk(&example, *collection.id()) : nullptr;
    const std::string own = collection.is_single() ? collection.name()
                            : shown != nullptr
                                ? key_text(*shown)
                                : make_key(maker, collection, source, {number, seed}, &record);
    empty_nested_lists(contract_, collection.nested(), source.schemas, true, record);
    set_key(contract_, collection, source, own, record);
    const std::string prefix = add_parents(binding, number, record);
    put(collection, (collection.is_scoped() ? prefix : std::string{}) + own, std::move(record));
  }

  // Takes out the times of what has not happened in the record's state: "paid_at" of a draft.
  void agree_with_state(const spec::schema::Schemas& schemas, json& record) const {
    const auto& summary = contract_.summaries().summary_of(schemas);
    const auto state = std::ranges::find_if(summary.properties, [&record](const auto& one) {
      return resources::is_word_for_state(one.first) && record.contains(one.first) &&
             record[one.first].is_string();
    });
    if (state == summary.properties.end()) {
      return;
    }
    const std::string now = record[state->first];
    for (const auto& [name, inner] : summary.properties) {
      const std::string mark = resources::mark_in(name);
      const bool is_time = mark != spec::text::plain_name(name) && record.contains(name) &&
                           !record[name].is_boolean() && resources::is_word_for_end(name);
      if (!is_time || has_happened(mark, now)) {
        continue;
      }
      if (may_have(contract_, inner, nullptr)) {
        record[name] = nullptr;
      } else if (std::ranges::find(summary.required, name) == summary.required.end()) {
        record.erase(name);
      }
    }
  }

  // Makes the record one of some parent, and of those to which that belongs. The start of its key,
  // if the collection is scoped.
  std::string add_parents(const Binding& binding, std::size_t number, json& record) const {
    if (binding.within.empty() || lacks_parents(binding)) {
      return "";
    }
    Collection& nearest = *seeded(binding.within.back().in);
    const Record& parent = nearest.records()[(number - 1) % nearest.records().size()];
    const Binding* const of_parent = binding_of(nearest);
    std::string prefix;
    for (std::size_t i = 0; i < binding.within.size(); ++i) {
      const bool is_above = i + 1 < binding.within.size() && i < of_parent->within.size();
      const json* const above = is_above ? walk(&parent.value, of_parent->within[i].at) : nullptr;
      json key = above != nullptr ? *above : own_key(nearest, parent);
      prefix += parent_part(key_text(key));
      set_at(record, binding.within[i].at, std::move(key));
    }
    return prefix;
  }

  // The example, with what a whole record must have from a generated one.
  json with_required(const RecordSource& source, const json& generated, json example) const {
    if (generated.is_object() && !source.schemas.empty()) {
      for (const std::string& name : contract_.summaries().summary_of(source.schemas).required) {
        if (!example.contains(name) && generated.contains(name)) {
          example[name] = generated[name];
        }
      }
    }
    return example;
  }

  void put(Collection& collection, std::string key, json record) {
    if (!collection.index_of(key)) {
      collection.put({std::move(key), plan_.node, std::move(record), {}});
    }
  }

  const Contract& contract_;
  std::span<const Binding> bindings_;
  SeedPlan plan_;
  std::vector<Collection*> collections_;  // by name
  Generator generator_;
  std::map<const Collection*, SeedTarget> plans_;
  References references_;
};

}  // namespace

std::shared_ptr<References> add_seed_records(const Contract& contract,
                                             const std::vector<Binding>& bindings,
                                             const SeedPlan& plan, Collections& collections) {
  const auto seeder = std::make_shared<Seeder>(contract, bindings, plan, collections);
  seeder->run();
  return {seeder, &seeder->references()};
}

}  // namespace mock_server::api::loading
