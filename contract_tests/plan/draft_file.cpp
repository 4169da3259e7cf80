// Answers that are files: whole, readable, of the subject that was asked for, and the same bytes
// however they are asked for. And the bounded burst that looks for a rate limit.

#include "contract_tests/plan/drafting.hpp"

#include <array>

namespace contract_tests::plan {

using nlohmann::json;
using spec::contract::StatementClass;

namespace {

class File {
 public:
  explicit File(const Drafting& drafting) : drafting_(drafting), block_(drafting.rules.file) {}

  void draft() const {
    add(start("the file is whole and can be read", "file/structure", "file_whole"));
    for (const auto* accept : {"application/json", "text/html,application/xhtml+xml,*/*;q=0.8",
                               "image/png", "application/pdf"}) {
      auto item = start("the file comes whatever is accepted: " + std::string(accept),
                        "file/accept", "file_whole");
      item.request.headers.emplace_back("Accept", accept);
      item.changed = "header Accept: " + std::string(accept);
      item.expect.want = Want::kStatus;
      item.expect.statuses = {200, 406};  // a server may decline, but not send something else
      add(std::move(item));
    }
    if (block_.contains("names")) {
      auto item = start("the file names what was asked for", "file/names", "file_names",
                        StatementClass::kAssumption);
      const auto parameter = block_.at("names").get<std::string>();
      item.data["name"] = drafting_.plain.path.at(parameter);
      if (block_.contains("other")) {
        item.data["other_name"] = request_from(block_.at("other")).path.at(parameter);
      }
      add(std::move(item));
    }
    if (block_.contains("other")) {
      auto item = start("two subjects have two files", "file/same-for-two", "file_differs",
                        StatementClass::kAssumption);
      item.data["other"] = to_json(overlay(drafting_.plain, request_from(block_.at("other"))));
      add(std::move(item));
    }
    ranges();
    if_range();
  }

 private:
  Case start(std::string sentence, std::string rule, std::string procedure,
             StatementClass kind = StatementClass::kDocument) const {
    auto item =
        drafting_.draft(std::move(sentence), std::move(rule), Drafting::clause(block_, kind));
    item.procedure = std::move(procedure);
    item.data = {{"kind", block_.at("kind")}};
    return item;
  }

  void add(Case item) const { drafting_.add(std::move(item)); }

  void ranges() const {
    static constexpr std::array<std::string_view, 4> kRanges{"bytes=0-99", "bytes=100-",
                                                             "bytes=-10", "bytes=999999999-"};
    for (const auto range : kRanges) {
      auto item = start("a part of the file is the right one or the whole: " + std::string(range),
                        "http/content-range", "file_range");
      item.why.source = {};
      item.data["range"] = range;
      item.changed = "header Range: " + std::string(range);
      add(std::move(item));
    }
  }

  void if_range() const {
    auto item = start("the whole file comes when the client knows another one", "http/if-range",
                      "file_if_range");
    item.why.source = {};
    item.changed = "headers Range: bytes=0-99 and If-Range: \"counterpart-gave-none\"";
    add(std::move(item));
  }

  const Drafting& drafting_;
  const json& block_;
};

}  // namespace

void draft_file(const Drafting& drafting) {
  if (!drafting.rules.file.is_null()) {
    File(drafting).draft();
  }
}

void draft_burst(const Drafting& drafting) {
  const auto& block = drafting.rules.burst;
  if (block.is_null()) {
    return;
  }
  const auto count = block.at("requests").dump();
  auto item = drafting.draft("a burst of " + count + " requests meets the rate limit and ends well",
                             "burst/limit", Drafting::clause(block, StatementClass::kDocument));
  item.procedure = "burst";
  item.expect.want = Want::kAnything;
  item.expect.statuses = {block.at("status").get<int>()};
  item.data = block;
  item.needs.burst = true;
  item.lane = "burst";
  drafting.add(std::move(item));
}

}  // namespace contract_tests::plan
