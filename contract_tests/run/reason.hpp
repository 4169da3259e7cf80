#pragma once

// Why a case has no verdict: it was not carried out, or what it got says nothing of the service.
// `words` are for people; what follows from a reason is decided by its kind.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace contract_tests::run {

struct Reason {
  enum class Kind : std::uint8_t {
    kOther,
    // By what the run may do (consent, settings, the contract itself): the case counts as not
    // covered. Of any other kind it should have run.
    kNotAllowed,
    kSubject,    // one is not set
    kUnmade,     // no valid request was found, unless subjects give one
    kUnmakable,  // no valid request was found, and subjects cannot give one
    kLimited,    // the service limits its callers (429)
    kRepeated    // another operation has the same finding, in the case `caused_by`
  };

  Reason() = default;

  Reason(const char* why) : words(why) {}

  Reason(std::string why, Kind of_kind = Kind::kOther, std::string because_of = {})
      : words(std::move(why)), kind(of_kind), caused_by(std::move(because_of)) {}

  bool empty() const { return words.empty(); }

  bool is_not_allowed() const { return kind == Kind::kNotAllowed; }

  bool is_repeated() const { return kind == Kind::kRepeated; }

  // True if no valid request was found.
  bool is_unmade() const { return kind == Kind::kUnmade || kind == Kind::kUnmakable; }

  friend bool operator==(const Reason&, const Reason&) = default;

  std::string words;
  Kind kind = Kind::kOther;
  std::string caused_by;  // id of the case whose failure explains it; "" without such a case
};

// The subject `name` is not set.
inline Reason no_subject(const std::string& name) {
  return {"the subject " + name + " is not set; see --print-subjects", Reason::Kind::kSubject};
}

// The response is not that of the service, or not the usual one.
inline Reason reason_of_status(int status, std::string words) {
  constexpr int kTooManyRequests = 429;
  return {std::move(words),
          status == kTooManyRequests ? Reason::Kind::kLimited : Reason::Kind::kOther};
}

// The findings of an operation are those of the case with this id.
inline Reason repeated(const std::string& case_id) {
  return {"the same for other operations too: see " + case_id, Reason::Kind::kRepeated, case_id};
}

}  // namespace contract_tests::run
