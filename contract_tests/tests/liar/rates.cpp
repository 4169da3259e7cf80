#include "contract_tests/tests/liar/rates.hpp"

#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace contract_tests::liar {

using nlohmann::json;

namespace {

constexpr std::size_t kFewestLies = 250;
constexpr std::size_t kFewestVariations = 80;

Count& of_class(Rates& rates, const std::string& name) {
  if (name == "document") {
    return rates.document;
  }
  return name == "standard" ? rates.standard : rates.assumption;
}

void add(Count& count, const Count& other) {
  count.told += other.told;
  count.caught += other.caught;
  count.missed.insert(count.missed.end(), other.missed.begin(), other.missed.end());
}

json to_json(const Count& count) {
  return {{"told", count.told}, {"caught", count.caught}, {"missed", count.missed}};
}

Count count_from(const json& data) {
  return {data.at("told").get<std::size_t>(), data.at("caught").get<std::size_t>(),
          data.at("missed").get<std::vector<std::string>>()};
}

std::string percent(const Count& count) {
  std::array<char, 32> text{};
  const auto rate =
      count.told == 0 ? 0.0
                      : 100.0 * static_cast<double>(count.caught) / static_cast<double>(count.told);
  std::snprintf(text.data(), text.size(), "%.1f %%", rate);
  return text.data();
}

std::string line(const std::string& name, const Count& count) {
  return "lies caught, class " + name + ": " + std::to_string(count.caught) + " of " +
         std::to_string(count.told) + " (" + percent(count) + ")\n";
}

std::string names(const std::string& what, const Count& count) {
  std::string text;
  for (const auto& name : count.missed) {
    text += "  " + what + ' ' + name + '\n';
  }
  return text;
}

}  // namespace

void Rates::add(const Charge& charge, const Testimony& testimony) {
  const bool lie = charge.is_lie();
  auto& count =
      lie ? of_class(*this, charge.data.at("expect").at("class").get<std::string>()) : variations;
  const bool good =
      lie ? is_caught(charge, testimony.findings) : alarms(testimony.findings).empty();
  ++count.told;
  count.caught += good ? 1 : 0;
  if (!good) {
    count.missed.push_back(charge.name);
  }
  requests += testimony.requests;
}

void Rates::add(const Rates& other) {
  liar::add(document, other.document);
  liar::add(standard, other.standard);
  liar::add(assumption, other.assumption);
  liar::add(variations, other.variations);
  requests += other.requests;
}

json to_json(const Rates& rates) {
  return {{"document", to_json(rates.document)},
          {"standard", to_json(rates.standard)},
          {"assumption", to_json(rates.assumption)},
          {"variations", to_json(rates.variations)},
          {"requests", rates.requests}};
}

Rates rates_from(const json& data) {
  return {count_from(data.at("document")), count_from(data.at("standard")),
          count_from(data.at("assumption")), count_from(data.at("variations")),
          data.at("requests").get<std::size_t>()};
}

void write_rates(const Rates& rates, const std::filesystem::path& file) {
  std::ofstream out(file);
  out << spec::json::write_pretty(to_json(rates)) << '\n';
  if (!out.flush()) {
    throw std::runtime_error(file.string() + " cannot be written");
  }
}

Rates read_rates(const std::filesystem::path& folder) {
  Rates sum;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") {
      continue;
    }
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const auto data = spec::json::read(text.str());
    if (!data) {
      throw std::runtime_error(entry.path().string() + " cannot be read");
    }
    sum.add(rates_from(data.value()));
  }
  return sum;
}

std::string printed(const Rates& rates) {
  const auto false_alarms = rates.variations.told - rates.variations.caught;
  return line("document", rates.document) + line("standard", rates.standard) +
         line("assumption", rates.assumption) + "false alarms: " + std::to_string(false_alarms) +
         " in " + std::to_string(rates.variations.told) + " honest variations\n" +
         names("missed", rates.document) + names("missed", rates.standard) +
         names("missed", rates.assumption) + names("false alarm", rates.variations);
}

std::vector<std::string> below_gate(const Rates& rates, std::size_t all) {
  std::vector<std::string> problems;
  const auto demand = [&problems](bool kept, std::string must) {
    if (!kept) {
      problems.push_back(std::move(must));
    }
  };
  const auto& assumption = rates.assumption;
  const auto lies = rates.document.told + rates.standard.told + assumption.told;
  demand(rates.document.missed.empty(), "every lie of class document must be caught");
  demand(rates.standard.missed.empty(), "every lie of class standard must be caught");
  demand(assumption.caught * 100 >= assumption.told * 98,
         "98 of 100 lies of class assumption must be caught");
  demand(rates.variations.missed.empty(), "no honest variation may raise an alarm");
  demand(lies >= kFewestLies, "there must be at least 250 lies");
  demand(rates.variations.told >= kFewestVariations, "there must be at least 80 variations");
  demand(lies + rates.variations.told == all,
         "all " + std::to_string(all) + " files must be tried, but " +
             std::to_string(lies + rates.variations.told) + " were");
  return problems;
}

}  // namespace contract_tests::liar
