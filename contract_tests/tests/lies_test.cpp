// The suite against servers that tell one lie at a time, and against honest ones that vary: each
// lie must be caught by a finding of the expected rule and class, each variation must give no error
// and no warning. One file a lie (lies/*.yaml) or variation (variations/*.yaml).
//
//   contract_lies_tests [--jobs N] [--rates FILE] [gtest flags]   tries them, counts into FILE
//   contract_lies_tests --sum FOLDER                              sums the shards, holds the gate

#include "contract_tests/plan/case.hpp"
#include "contract_tests/tests/liar/rates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <set>
#include <string_view>
#include <thread>

namespace contract_tests::liar {
namespace {

// What the tests of one process share.
struct Court {
  std::vector<Charge> charges = load_charges();
  unsigned jobs = std::max(std::thread::hardware_concurrency(), 1U);
  std::filesystem::path rates_file;
  std::unique_ptr<Jury> jury;
  Rates rates;
};

const char* suite_of(const Charge& charge) {
  return charge.is_lie() ? "Lies" : "Variations";
}

class Trial : public testing::Test {
 public:
  Trial(Court& court, const Charge& charge) : court_(court), charge_(charge) {}

  void TestBody() override {
    const auto& testimony = court_.jury->wait(charge_);
    court_.rates.add(charge_, testimony);
    RecordProperty("time_ms", static_cast<int>(testimony.time.count()));
    std::printf("%zu requests, %lld ms\n", testimony.requests,
                static_cast<long long>(testimony.time.count()));
    if (charge_.is_lie()) {
      EXPECT_TRUE(is_caught(charge_, testimony.findings))
          << charge_.data.at("lie").get<std::string>() << "\nwas not caught by "
          << charge_.data.at("expect").dump() << " but gave\n"
          << listed(testimony.findings);
    } else {
      const auto found = alarms(testimony.findings);
      EXPECT_TRUE(found.empty()) << charge_.data.at("variation").get<std::string>() << '\n'
                                 << listed(found);
    }
  }

 private:
  Court& court_;
  const Charge& charge_;
};

// Starts the jury when GoogleTest has decided which tests it will run; counts at the end.
class Session : public testing::Environment {
 public:
  explicit Session(Court& court) : court_(court) {}

  void SetUp() override {
    court_.jury = std::make_unique<Jury>();
    court_.jury->start(selected(), court_.jobs);
  }

  void TearDown() override {
    court_.jury.reset();
    std::fputs(printed(court_.rates).c_str(), stdout);
    if (!court_.rates_file.empty()) {
      write_rates(court_.rates, court_.rates_file);
    }
  }

 private:
  std::vector<const Charge*> selected() const {
    std::set<std::string> names;
    const auto& all = *testing::UnitTest::GetInstance();
    for (int suite = 0; suite < all.total_test_suite_count(); ++suite) {
      const auto& tests = *all.GetTestSuite(suite);
      for (int test = 0; test < tests.total_test_count(); ++test) {
        if (tests.GetTestInfo(test)->should_run()) {
          names.insert(std::string(tests.name()) + '.' + tests.GetTestInfo(test)->name());
        }
      }
    }
    std::vector<const Charge*> charges;
    for (const auto& charge : court_.charges) {
      if (names.contains(std::string(suite_of(charge)) + '.' + plan::slug(charge.name))) {
        charges.push_back(&charge);
      }
    }
    return charges;
  }

  Court& court_;
};

int sum(const Court& court, const std::filesystem::path& folder) {
  const auto rates = read_rates(folder);
  const auto problems = below_gate(rates, court.charges.size());
  const auto text = printed(rates);
  std::fputs(text.c_str(), stdout);
  for (const auto& problem : problems) {
    std::printf("below the gate: %s\n", problem.c_str());
  }
  return problems.empty() ? 0 : 1;
}

int run(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  Court court;
  for (int at = 1; at + 1 < argc; at += 2) {
    const std::string_view flag = argv[at];
    if (flag == "--sum") {
      return sum(court, argv[at + 1]);
    }
    if (flag == "--rates") {
      court.rates_file = argv[at + 1];
      std::filesystem::create_directories(court.rates_file.parent_path());
      std::filesystem::remove(court.rates_file);
    } else if (flag == "--jobs") {
      court.jobs = static_cast<unsigned>(std::atoi(argv[at + 1]));
    }
  }
  for (const auto& charge : court.charges) {
    testing::RegisterTest(
        suite_of(charge), plan::slug(charge.name).c_str(), nullptr, nullptr, __FILE__, __LINE__,
        [&court, &charge]() -> testing::Test* { return new Trial(court, charge); });
  }
  testing::AddGlobalTestEnvironment(new Session(court));
  return RUN_ALL_TESTS();
}

}  // namespace
}  // namespace contract_tests::liar

int main(int argc, char** argv) {
  try {
    return contract_tests::liar::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
