#include "spec/contract/resources/usual_names.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace spec::contract::resources {
namespace {

template <std::size_t N>
bool is_one_of(const std::string& word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, std::string_view(word)) != words.end();
}

template <std::size_t N>
int rank_in(const std::string& word, const std::array<std::string_view, N>& words) {
  const auto found = std::ranges::find(words, std::string_view(word));
  return found == words.end() ? kNoRank : static_cast<int>(found - words.begin());
}

// True for one of the words, alone or with a word for a time: "updatedat", "dateupdated".
template <std::size_t N>
bool is_time_of(const std::string& plain, const std::array<std::string_view, N>& words) {
  constexpr std::array<std::string_view, 7> kEndings{"",     "at",       "on",       "date",
                                                     "time", "datetime", "timestamp"};
  return std::ranges::any_of(words, [&](std::string_view word) {
    return plain == "date" + std::string(word) ||
           std::ranges::any_of(kEndings, [&](std::string_view ending) {
             return plain == std::string(word) + std::string(ending);
           });
  });
}

constexpr std::array<std::string_view, 16> kSizes{
    "limit", "pagesize", "perpage",      "size",           "pagelimit", "maxresults",
    "top",   "count",    "itemsperpage", "resultsperpage", "first",     "pagelength",
    "take",  "maxitems", "rows",         "pagecount"};
constexpr std::array<std::string_view, 8> kNumbers{"page",      "pagenumber",  "pageno", "pagenum",
                                                   "pageindex", "currentpage", "p",      "pg"};
constexpr std::array<std::string_view, 8> kOffsets{
    "offset", "skip", "start", "startindex", "firstresult", "startat", "pageoffset", "startfrom"};
constexpr std::array<std::string_view, 21> kCursors{
    "cursor",        "after",      "startingafter", "pagetoken", "nexttoken", "continuationtoken",
    "sinceid",       "startafter", "continue",      "next",      "marker",    "nextcursor",
    "nextpagetoken", "pagecursor", "pageafter",     "lastid",    "fromid",    "afterid",
    "aftercursor",   "bookmark",   "pagemarker"};
constexpr std::array<std::string_view, 9> kBefores{
    "before",   "endingbefore", "endbefore",      "beforeid",         "pagebefore",
    "previous", "beforecursor", "previouscursor", "previouspagetoken"};
constexpr std::array<std::string_view, 8> kSorts{"sort",     "sortby",    "orderby", "order",
                                                 "ordering", "sortfield", "sortkey", "sortcolumn"};
constexpr std::array<std::string_view, 6> kDirections{
    "direction", "sortdirection", "sortorder", "orderdirection", "dir", "sortdir"};
constexpr std::array<std::string_view, 6> kSearches{"q",       "search",     "query",
                                                    "keyword", "searchterm", "searchquery"};

constexpr std::array<std::pair<std::string_view, std::string_view>, 69> kTotals{
    {{"total", "count"},
     {"totalcount", "count"},
     {"totalitems", "count"},
     {"totalresults", "count"},
     {"totalrecords", "count"},
     {"totalelements", "count"},
     {"totalhits", "count"},
     {"count", "count"},
     {"totalrows", "count"},
     {"totalentries", "count"},
     {"totalobjects", "count"},
     {"recordstotal", "count"},
     {"recordcount", "count"},
     {"itemcount", "count"},
     {"numfound", "count"},
     {"totalsize", "count"},
     {"totaldocs", "count"},
     {"resultcount", "count"},
     {"numresults", "count"},
     {"nbhits", "count"},
     {"hasmoreitems", "more"},
     {"hasmoreresults", "more"},
     {"more", "more"},
     {"totalpages", "pages"},
     {"pages", "pages"},
     {"pagecount", "pages"},
     {"numpages", "pages"},
     {"lastpage", "pages"},
     {"page", "page"},
     {"pagenumber", "page"},
     {"currentpage", "page"},
     {"pageindex", "page"},
     {"offset", "offset"},
     {"skip", "offset"},
     {"limit", "size"},
     {"pagesize", "size"},
     {"perpage", "size"},
     {"hasmore", "more"},
     {"hasnext", "more"},
     {"hasnextpage", "more"},
     {"ismore", "more"},
     {"nextcursor", "next"},
     {"nextpagetoken", "next"},
     {"nexttoken", "next"},
     {"endcursor", "next"},
     {"next", "next"},
     {"continue", "next"},
     {"nexturl", "next_url"},
     {"nextlink", "next_url"},
     {"nextpageurl", "next_url"},
     {"odatanextlink", "next_url"},
     {"odatacount", "count"},
     {"previous", "previous_url"},
     {"prev", "previous_url"},
     {"previousurl", "previous_url"},
     {"prevpageurl", "previous_url"},
     {"number", "page"},
     {"size", "size"},
     {"numberofelements", "shown"},
     {"returnedcount", "shown"},
     {"first", "is_first"},
     {"last", "is_last"},
     {"empty", "is_empty"},
     {"startat", "offset"},
     {"maxresults", "size"},
     {"cursor", "next"},
     {"nextpage", "next"},
     {"firstid", "first_id"},
     {"lastid", "last_id"}}};

}  // namespace

ListWord list_word(const std::string& plain) {
  using Words = std::span<const std::string_view>;
  constexpr std::array<std::pair<Words, ListWord>, 8> kLists{{{kSizes, ListWord::kSize},
                                                              {kNumbers, ListWord::kNumber},
                                                              {kOffsets, ListWord::kOffset},
                                                              {kCursors, ListWord::kCursor},
                                                              {kBefores, ListWord::kBefore},
                                                              {kSorts, ListWord::kSort},
                                                              {kDirections, ListWord::kDirection},
                                                              {kSearches, ListWord::kSearch}}};
  const auto found = std::ranges::find_if(kLists, [&](const auto& list) {
    return std::ranges::find(list.first, std::string_view(plain)) != list.first.end();
  });
  return found == kLists.end() ? ListWord::kNone : found->second;
}

bool is_word_for_some(const std::string& plain) {
  constexpr std::array<std::string_view, 5> kWhole{"search", "find", "filter", "query", "lookup"};
  constexpr std::array<std::string_view, 6> kStarts{"findby", "listby",   "getby",
                                                    "by",     "searchby", "filterby"};
  return is_one_of(plain, kWhole) || std::ranges::any_of(kStarts, [&](std::string_view start) {
           return plain.size() > start.size() && plain.starts_with(start);
         });
}

bool is_word_for_secret(const std::string& plain) {
  constexpr std::array<std::string_view, 6> kParts{"password", "passwd", "passphrase",
                                                   "secret",   "cvc",    "cvv"};
  constexpr std::array<std::string_view, 5> kWhole{"pin", "token", "apikey", "privatekey", "otp"};
  return is_one_of(plain, kWhole) || std::ranges::any_of(kParts, [&](std::string_view part) {
           return plain.find(part) != std::string::npos;
         });
}

std::span<const ComparisonWord> comparison_words() {
  constexpr std::string_view kFrom = "at_or_after";
  constexpr std::string_view kTo = "at_or_before";
  static constexpr auto kWords = std::to_array<ComparisonWord>(
      {{"after", "after", kFrom}, {"since", kFrom, kFrom}, {"from", kFrom, kFrom},
       {"start", {}, kFrom},      {"gte", kFrom, kFrom},   {"min", kFrom, kFrom},
       {"before", "before", kTo}, {"until", kTo, kTo},     {"to", kTo, kTo},
       {"end", {}, kTo},          {"lte", kTo, kTo},       {"max", kTo, kTo},
       {"minimum", {}, kFrom},    {"maximum", {}, kTo},    {"gteq", kFrom, kFrom},
       {"lteq", kTo, kTo},        {"ge", kFrom, {}},       {"le", kTo, {}},
       {"gt", "after", {}},       {"lt", "before", {}},    {"eq", "equal", {}}});
  return kWords;
}

const ComparisonWord* find_comparison_word(std::string_view plain) {
  const auto words = comparison_words();
  const auto found = std::ranges::find(words, plain, &ComparisonWord::word);
  return found == words.end() ? nullptr : &*found;
}

bool is_word_for_filters(const std::string& plain) {
  constexpr std::array<std::string_view, 6> kNames{"filter", "filters",  "where",
                                                   "query",  "criteria", "search"};
  return is_one_of(plain, kNames);
}

bool is_word_for_head(const std::string& plain) {
  return plain == "metadata" || plain == "meta";
}

bool is_word_for_members(const std::string& plain) {
  return plain == "attributes";
}

bool is_word_for_address(const std::string& plain) {
  constexpr std::array<std::string_view, 6> kNames{"location", "href", "url",
                                                   "uri",      "self", "link"};
  return is_one_of(plain, kNames);
}

std::string_view total_word(const std::string& plain) {
  const auto found =
      std::ranges::find(kTotals, std::string_view(plain), &decltype(kTotals)::value_type::first);
  return found == kTotals.end() ? std::string_view{} : found->second;
}

bool leads_to_next(const std::string& plain) {
  constexpr std::array<std::string_view, 5> kOthers{"cursor", "nextpage", "after", "marker",
                                                    "lastid"};
  const std::string_view word = total_word(plain);
  return word == "next" || word == "next_url" || is_one_of(plain, kOthers);
}

bool leads_back(const std::string& plain) {
  constexpr std::array<std::string_view, 8> kOthers{
      "before",          "previouscursor", "prevcursor", "startcursor", "previouspagetoken",
      "previouspageurl", "prevpagetoken",  "firstid"};
  return total_word(plain) == "previous_url" || is_one_of(plain, kOthers);
}

int list_rank(const std::string& plain) {
  constexpr std::array<std::string_view, 12> kNames{"data",     "items",  "results", "records",
                                                    "content",  "values", "entries", "objects",
                                                    "elements", "list",   "rows",    "embedded"};
  return rank_in(plain, kNames);
}

int record_rank(const std::string& plain) {
  constexpr std::array<std::string_view, 6> kNames{"data",   "item",   "result",
                                                   "record", "object", "payload"};
  return rank_in(plain, kNames);
}

bool is_time_of_record(const std::string& plain) {
  constexpr std::array<std::string_view, 3> kWords{"created", "creation", "create"};
  return is_time_of_change(plain) || is_time_of(plain, kWords);
}

bool is_time_of_change(const std::string& plain) {
  constexpr std::array<std::string_view, 5> kWords{"updated", "update", "modified", "modification",
                                                   "changed"};
  const bool is_last = plain.starts_with("last");
  return is_time_of(is_last ? plain.substr(4) : plain, kWords);
}

}  // namespace spec::contract::resources
