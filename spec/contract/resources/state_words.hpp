#pragma once

// Words of states and of the actions that lead to them, as data. To add one, add it to its list.

#include <string>
#include <string_view>
#include <vector>

namespace spec::contract::resources {

// Lists of words, the best first, in plain names: "inprogress" for "in_progress".

// States of a new record.
inline constexpr std::string_view kFirstStates =
    "pending draft queued open new created todo backlog notstarted waiting scheduled submitted "
    "received requested placed unpaid planned initiated registered incomplete active enabled "
    "available online";

// States of a job that waits, works, and is done.
inline constexpr std::string_view kWaitStates =
    "queued pending waiting created accepted scheduled submitted new notstarted initiated "
    "requested "
    "received enqueued validating uploading downloading";
inline constexpr std::string_view kWorkStates =
    "running processing inprogress working executing started exporting importing building "
    "generating transcoding encoding converting analyzing rendering indexing training scanning "
    "syncing provisioning deploying uploading downloading";
inline constexpr std::string_view kDoneStates =
    "completed complete succeeded success successful done finished ready processed exported "
    "imported";

// Ends that no new record has, besides those of a job.
inline constexpr std::string_view kEndStates =
    "settled captured failed error declined void lost won aborted terminated inactive";

// What a client does to a job whose states are the service's.
inline constexpr std::string_view kInterruptions =
    "cancel abort stop retry rerun restart pause resume";

// Booleans and dates of what has not happened to a new record.
inline constexpr std::string_view kEndWords =
    "archived cancelled canceled cancel closed completed deleted removed revoked approved "
    "delivered done finished "
    "paid published refunded rejected shipped started sent ended expired suspended blocked banned "
    "resolved dismissed fulfilled voided locked hidden read";

// Last segments of paths that log somebody in, members of the response that have the token, and
// those that say for how long or until when.
inline constexpr std::string_view kLogins =
    "login signin token auth authenticate session sessions tokens accesstoken authtoken oauthtoken "
    "logon register signup";
inline constexpr std::string_view kTokens =
    "accesstoken token authtoken sessiontoken jwt jwttoken bearertoken idtoken apitoken";
inline constexpr std::string_view kLifetimes =
    "expiresin expires expiresat expiry expiration expirydate expirationdate tokenexpiresat ttl "
    "expireson validuntil";

// The words of such a list.
std::vector<std::string> text_words(std::string_view list);

// The states that a verb leads to, besides those that are forms of the verb; and the verbs whose
// outcome it takes back.
struct VerbWords {
  std::string_view verb;
  std::string_view states;
  std::string_view opposites;
};

// The row of the verb, or of the state that it is named for ("paid"); an empty one without any.
VerbWords words_of_verb(const std::string& verb);

// The states of the verb that takes back what this one does; "" if none is known.
std::string_view states_of_opposite(const std::string& verb);

// "cancel" for "cancelOrder", "cancel-order" and "mark-as-cancel" of "orders".
std::string verb_in(std::string_view segment, std::string_view resource);

// "archive" for "unarchive", "activate" for "deactivate"; "" for any other.
std::string without_negation(const std::string& verb);

// The plain name of a boolean or date without what makes it one: "archived" for "is_archived" and
// "archivedAt".
std::string mark_in(std::string_view name);

bool is_word_for_state(std::string_view name);
bool is_word_for_progress(std::string_view name);

}  // namespace spec::contract::resources
