#include "spec/contract/router.hpp"

#include "spec/http/message.hpp"
#include "spec/text/encoding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

namespace spec::contract {

namespace {

using testing::ElementsAre;

std::vector<Segment> segments_of(const std::string& path) {
  return parse_path_template(path).value();
}

// "/{a}-{b} a=1 b=2" for the first path that matches; "" if none does.
std::string routed(const Router& router, const std::string& raw_path) {
  const std::string path = normal_path(raw_path).value();
  const auto found = router.find(path);
  if (!found) {
    return "";
  }
  std::string text = found->paths->front().text;
  for (std::size_t i = 0; i < found->values.size(); ++i) {
    text +=
        ' ' + found->paths->front().names[i] + '=' + text::percent_decode(found->values[i]).value();
  }
  return text;
}

Router router_of(const std::vector<std::string>& paths) {
  Router router;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    router.add(paths[i], segments_of(paths[i]), "GET", static_cast<Router::Route>(i));
  }
  return router;
}

TEST(Router, prefers_a_literal_segment_over_a_parameter_whatever_the_order) {
  const Router router = router_of({"/v1/{a}/{b}", "/v1/test/test", "/v1/test/{b}"});

  EXPECT_EQ(routed(router, "/v1/test/test"), "/v1/test/test");
  EXPECT_EQ(routed(router, "/v1/test/x"), "/v1/test/{b} b=x");
  EXPECT_EQ(routed(router, "/v1/x/test"), "/v1/{a}/{b} a=x b=test");
}

TEST(Router, comes_back_from_a_literal_that_leads_nowhere) {
  const Router router = router_of({"/a/b/c", "/{x}/b/d"});

  EXPECT_EQ(routed(router, "/a/b/d"), "/{x}/b/d x=a");
}

TEST(Router, takes_several_parameters_out_of_one_segment) {
  const Router router = router_of({"/test.{format}", "/{a}-{b}", "/{a}{b}!"});

  EXPECT_EQ(routed(router, "/test.json"), "/test.{format} format=json");
  EXPECT_EQ(routed(router, "/x-y-z"), "/{a}-{b} a=x b=y-z");
  EXPECT_EQ(routed(router, "/--x"), "/{a}-{b} a=- b=x");
  EXPECT_EQ(routed(router, "/xyz!"), "/{a}{b}! a=x b=yz");
  EXPECT_EQ(routed(router, "/xtest.json"), "");
  EXPECT_EQ(routed(router, "/test."), "");
}

TEST(Router, prefers_more_literal_text_in_a_segment) {
  const Router router = router_of({"/{id}", "/{id}.x", "/a{id}.x"});

  EXPECT_EQ(routed(router, "/ab.x"), "/a{id}.x id=b");
  EXPECT_EQ(routed(router, "/bb.x"), "/{id}.x id=bb");
  EXPECT_EQ(routed(router, "/.x"), "/{id} id=.x");
}

TEST(Router, reads_an_encoded_slash_as_data_and_decodes_once) {
  const Router router = router_of({"/items/{id}"});

  EXPECT_EQ(routed(router, "/items/a%2Fb"), "/items/{id} id=a/b");
  EXPECT_EQ(routed(router, "/items/%2541"), "/items/{id} id=%41");
}

TEST(Router, takes_equivalent_paths_for_the_same) {
  const Router router = router_of({"/items.{id}", "/caf\xC3\xA9/{a},{b}"});

  EXPECT_EQ(routed(router, "/%69tems%2E1"), "/items.{id} id=1");
  EXPECT_EQ(routed(router, "/caf%c3%a9/1%2C2,3"), "/caf\xC3\xA9/{a},{b} a=1,2 b=3");
}

TEST(Router, distinguishes_a_trailing_slash_and_an_empty_segment) {
  const Router router = router_of({"/docs", "/docs/", "/docs/{x}", "/"});

  EXPECT_EQ(routed(router, "/docs"), "/docs");
  EXPECT_EQ(routed(router, "/docs/"), "/docs/");
  EXPECT_EQ(routed(router, "/"), "/");
  EXPECT_EQ(routed(router, "/docs//"), "");
  EXPECT_EQ(routed(router, "//docs"), "");
  EXPECT_EQ(routed(router, ""), "");
  EXPECT_EQ(routed(router, "*"), "");
}

TEST(Router, prefers_the_first_of_two_twins) {
  EXPECT_EQ(routed(router_of({"/{x}", "/{y}"}), "/1"), "/{x} x=1");
}

TEST(PathTemplate, is_rejected_when_a_brace_has_no_partner) {
  EXPECT_EQ(parse_path_template("/{a"), std::nullopt);
  EXPECT_EQ(parse_path_template("/a}"), std::nullopt);
  EXPECT_EQ(parse_path_template("/{a{b}}"), std::nullopt);
  EXPECT_EQ(parse_path_template("/{}"), std::nullopt);
  EXPECT_EQ(parse_path_template("a"), std::nullopt);
}

TEST(PathTemplate, takes_values_that_are_still_encoded) {
  EXPECT_THAT(match_template(segments_of("/a/{b},{c}"), "/a/1%2C2,3").value(),
              ElementsAre("1%2C2", "3"));
  EXPECT_EQ(match_template(segments_of("/a/{b}"), "/b/1"), std::nullopt);
}

TEST(NormalPath, is_nothing_for_a_malformed_triplet) {
  EXPECT_EQ(normal_path("/%ZZ"), std::nullopt);
  EXPECT_EQ(normal_path("/a%2"), std::nullopt);
  EXPECT_EQ(normal_path("/%7E%2f%41"), "/~%2fA");
}

// The slow twin: every template is tried; a segment is matched by trying every cut, shortest first.
bool slow_segment(const Segment& segment, std::size_t part, std::string_view text) {
  if (part == segment.size()) {
    return text.empty();
  }
  if (!segment[part].is_parameter) {
    return text.starts_with(segment[part].text) &&
           slow_segment(segment, part + 1, text.substr(segment[part].text.size()));
  }
  for (std::size_t size = 1; size <= text.size(); ++size) {
    if (slow_segment(segment, part + 1, text.substr(size))) {
      return true;
    }
  }
  return false;
}

struct Slow {
  std::string path;
  std::vector<Segment> segments;
};

// The rank of a template's segment: literal, mixture with much literal text, mixture with less,
// parameter; among equals the one whose beginning came first.
using Rank = std::tuple<int, int, std::size_t>;

std::vector<Rank> ranks(const std::vector<Slow>& all, const Slow& one) {
  std::vector<Rank> result;
  for (std::size_t depth = 0; depth < one.segments.size(); ++depth) {
    const Segment& segment = one.segments[depth];
    int literal = 0;
    bool has_parameter = false;
    for (const SegmentPart& part : segment) {
      literal += part.is_parameter ? 0 : static_cast<int>(part.text.size());
      has_parameter = has_parameter || part.is_parameter;
    }
    const int kind = !has_parameter ? 0 : segment.size() == 1 ? 2 : 1;
    const auto first = std::find_if(all.begin(), all.end(), [&](const Slow& other) {
      if (other.segments.size() <= depth) {
        return false;
      }
      for (std::size_t i = 0; i <= depth; ++i) {
        if (nameless(other.segments[i]) != nameless(one.segments[i])) {
          return false;
        }
      }
      return true;
    });
    result.emplace_back(kind, kind == 1 ? -literal : 0,
                        static_cast<std::size_t>(first - all.begin()));
  }
  return result;
}

std::string slow_route(const std::vector<Slow>& all, const std::string& path) {
  const Slow* best = nullptr;
  const std::size_t count = static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
  for (const Slow& one : all) {
    bool fits = one.segments.size() == count;
    std::string_view rest = path;
    for (std::size_t i = 0; fits && i < count; ++i) {
      rest.remove_prefix(1);
      const std::size_t end = std::min(rest.find('/'), rest.size());
      fits = slow_segment(one.segments[i], 0, rest.substr(0, end));
      rest.remove_prefix(end);
    }
    if (fits && (best == nullptr || ranks(all, one) < ranks(all, *best))) {
      best = &one;
    }
  }
  return best == nullptr ? "" : best->path;
}

class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  std::string path_template() {
    return make({"", "a", "b", "{x}", "{x}", "a{x}", "{x}b", "{x}-{y}", "a{x}b", "{x}{y}"});
  }

  std::string path() { return make({"", "a", "b", "ab", "a-b", "aab", "a-a-b", "-", "abb"}); }

 private:
  std::string make(const std::vector<std::string>& words) {
    std::string path;
    const std::size_t count = 1 + random_() % 3;
    for (std::size_t i = 0; i < count; ++i) {
      path += '/' + words[random_() % words.size()];
    }
    return path;
  }

  std::mt19937 random_;
};

TEST(Router, agrees_with_a_matcher_that_tries_every_template) {
  constexpr std::uint32_t kSeed = 20240607;
  Generator generator(kSeed);
  for (int round = 0; round < 300; ++round) {
    Router router;
    std::vector<Slow> all;
    for (int i = 0; i < 12; ++i) {
      const std::string path = generator.path_template();
      all.push_back({path, segments_of(path)});
      router.add(path, all.back().segments, "GET", 0);
    }
    for (int i = 0; i < 40; ++i) {
      const std::string path = generator.path();
      const auto found = router.find(path);
      ASSERT_EQ(found ? found->paths->front().text : "", slow_route(all, path))
          << "seed " << kSeed << ", round " << round << ", path " << path;
    }
  }
}

}  // namespace

}  // namespace spec::contract
