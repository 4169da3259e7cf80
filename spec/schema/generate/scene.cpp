#include "spec/schema/generate/scene.hpp"

#include "spec/json/number.hpp"
#include "spec/schema/generate/believable_values.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/random.hpp"
#include "spec/time/instant.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace spec::schema::generate {

using text::derive;

namespace {

const auto& nth(const auto& pool, std::uint64_t index) {
  return pool[static_cast<std::size_t>(index % pool.size())];
}

void settle_in(Scene& scene, const Region& region) {
  scene.region = &region;
  scene.place = &nth(region.places, derive(scene.seed, "place") + scene.index);
  scene.currency = scene.usual_currency.empty() ? region.currency : scene.usual_currency;
}

void meet_people(Scene& scene) {
  std::tie(scene.first_name, scene.last_name) = person_of(scene, 0);
  const Words& companies = word_tables().pools.at("company");
  scene.company = nth(companies, derive(scene.seed, "company") + scene.index);
}

bool is_called(const Region& region, std::string_view text) {
  return text::equals_ignoring_case(text, region.code) ||
         text::equals_ignoring_case(text, region.code3) ||
         text::equals_ignoring_case(text, region.country);
}

void use_country(Scene& scene, const std::string& text) {
  const auto& regions = word_tables().regions;
  const auto found = std::ranges::find_if(
      regions, [&text](const Region& region) { return is_called(region, text); });
  if (found != regions.end() && &*found != scene.region) {
    settle_in(scene, *found);
    meet_people(scene);
  }
}

std::string capitalized(std::string_view word) {
  std::string text = text::to_lower(word);
  text[0] = text::to_upper(text[0]);
  return text;
}

// "Ada Lovelace", and the person of "ada.lovelace@example.com".
void use_name(Scene& scene, std::string_view text, std::string_view separators) {
  const std::size_t at = text.find_first_of(separators);
  if (at == text.npos || at == 0 || at + 1 == text.size()) {
    return;
  }
  const std::string_view first = text.substr(0, at);
  const std::string_view last = text.substr(at + 1);
  const auto is_word = [](std::string_view word) {
    return std::ranges::none_of(word, &text::is_digit);
  };
  if (is_word(first) && is_word(last)) {
    const bool is_mail = separators != " ";
    scene.first_name = is_mail ? capitalized(first) : std::string(first);
    scene.last_name = is_mail ? capitalized(last) : std::string(last);
  }
}

void use_creation(Scene& scene, const nlohmann::json& value) {
  constexpr std::int64_t kMillisecondsFrom = 100'000'000'000;
  if (value.is_string()) {
    const auto instant = time::parse_date_time(value.get_ref<const std::string&>());
    scene.created = instant ? instant->seconds : scene.created;
  } else if (const auto number = json::to_int64(value)) {
    scene.created = *number > kMillisecondsFrom ? *number / 1000 : *number;
  }
}

}  // namespace

std::pair<std::string, std::string> person_of(const Scene& scene, std::uint64_t index) {
  const std::uint64_t number = scene.index + index;
  return {nth(scene.region->first_names, derive(scene.seed, "first") % 64 + number),
          nth(scene.region->last_names, derive(scene.seed, "last") % 64 + number * 3 + number / 8)};
}

bool names_person(const Scene& scene, std::string_view name) {
  const std::string& plain = usage_of(name).plain;
  return (plain.ends_with("name") || plain.ends_with("names")) && !is_of_company(scene) &&
         (scene.has_person || scene.has_mail || is_of_person(scene.thing));
}

Scene make_scene(const Scene& outer, const SceneOrigin& origin, const SceneTraits& traits) {
  Scene scene = outer;
  const bool is_another =
      traits.is_role || (traits.thing != nullptr && traits.thing != outer.thing);
  if (origin.starts_record || origin.is_element || is_another) {
    scene.seed = origin.seed;
    scene.index = origin.is_element || origin.starts_record ? origin.index : outer.index;
  }
  if (origin.starts_record) {
    settle_in(scene, nth(word_tables().regions, derive(scene.seed, "region") + scene.index));
    scene.created = origin.created;
    scene.today = origin.today;
  }
  if (origin.starts_record || origin.is_element || is_another) {
    meet_people(scene);
    scene.name.clear();
  }
  scene.thing = traits.thing != nullptr || traits.is_own ? traits.thing : outer.thing;
  scene.role = traits.role;
  scene.has_person = traits.has_person;
  scene.has_mail = traits.has_mail;
  scene.has_place = traits.has_place;
  return scene;
}

bool says_as_much(const Scene& scene, std::string_view name, const nlohmann::json& value) {
  const NameUsage& usage = usage_of(name);
  if (!value.is_string() || usage.text == nullptr) {
    return false;
  }
  const auto& text = value.get_ref<const std::string&>();
  const std::string_view kind = usage.text->name;
  return kind.starts_with("country")
             ? is_called(*scene.region, text)
             : kind == "currency" && text::equals_ignoring_case(text, scene.currency);
}

void observe(Scene& scene, std::string_view name, const nlohmann::json& value) {
  const NameUsage& usage = usage_of(name);
  if (usage.time == NameTime::kCreation && (value.is_number() || usage.is_date)) {
    return use_creation(scene, value);
  }
  if (!value.is_string() || usage.text == nullptr || value.get_ref<const std::string&>().empty()) {
    return;
  }
  const auto& text = value.get_ref<const std::string&>();
  const std::string_view kind = usage.text->name;
  const bool is_name = kind == "name" && names_person(scene, name);
  const bool is_of_another = !usage.role.empty() && usage.role != scene.role;
  if (is_of_another && kind != "name" && !kind.starts_with("country")) {
    return;
  }
  if (kind.starts_with("country")) {
    use_country(scene, text);
  } else if (kind == "currency") {
    scene.currency = text;
  } else if (kind == "first_name") {
    scene.first_name = text;
  } else if (kind == "last_name") {
    scene.last_name = text;
  } else if (kind == "full_name" || is_name) {
    use_name(scene, text, " ");
  } else if (kind == "email") {
    use_name(scene, text.substr(0, text.find('@')), "._");
  } else if (kind == "company" || is_of_company(scene)) {
    scene.company = text;
  }
  if (kind == "name") {
    scene.name = text;
  }
}

}  // namespace spec::schema::generate
