#include "spec/schema/patterns/captures.hpp"

#include <algorithm>
#include <string>

namespace spec::schema::patterns {
namespace {

// True when `group` may be left out of a round of `round` that `reference` can then see.
bool may_be_stale(const Captures& captures, const Span& round, const Span& group,
                  const Span& reference) {
  return std::ranges::any_of(captures.optional, [&](const Span& part) {
    return round.contains(part) && part != round && part.contains(group) &&
           !part.contains(reference);
  });
}

}  // namespace

void check_back_references(Cursor& cursor, const Captures& captures) {
  for (const BackReference& reference : captures.references) {
    if (reference.group == 0 || reference.group > captures.groups.size()) {
      cursor.fail(reference.span.first, "must not refer back to a group that is not there");
      return;
    }
    const Span& group = captures.groups[reference.group - 1];
    for (const Span& round : captures.repeated) {
      if (round.contains(group) && may_be_stale(captures, round, group, reference.span)) {
        cursor.fail(reference.span.first,
                    "must not refer back to a group that a repetition may leave out");
        return;
      }
    }
  }
}

}  // namespace spec::schema::patterns
