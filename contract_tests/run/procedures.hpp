#pragma once

// How cases are carried out: a case names its procedure, the table finds it. Each procedure sends
// what it needs through the trial, compares what came, and undoes what it did.

#include "contract_tests/run/trial.hpp"

#include <string_view>

namespace contract_tests::run {

using Procedure = void (*)(Trial&);

// Null when there is no procedure of that name.
Procedure find_procedure(std::string_view name);

// One request, judged by what holds for any answer.
void run_exchange(Trial& trial);
// The same, about an identifier that nobody has.
void run_hostile(Trial& trial);
// The plain request and a variant of it, whose answers must be the same.
void run_same(Trial& trial);
// A generated request, judged like any other; the runner makes it smaller when it fails.
void run_generated(Trial& trial);
void run_head(Trial& trial);
void run_method(Trial& trial);
// The plain answer and a refusal, which must show nothing of it.
void run_silent_refusal(Trial& trial);
// The case's request a while after the run began.
void run_later(Trial& trial);
// Two requests, many times at once: each gets its own answer.
void run_together(Trial& trial);
void run_validator(Trial& trial);
void run_reuse(Trial& trial);

void run_page_size(Trial& trial);
void run_pages_partition(Trial& trial);
void run_pages_first(Trial& trial);
// A page by its number alone, and with the default size.
void run_pages_unsized(Trial& trial);
void run_pages_past_end(Trial& trial);
void run_pages_order(Trial& trial);
void run_pages_every(Trial& trial);
void run_pages_time(Trial& trial);

void run_filter_inclusive(Trial& trial);
void run_filter_leak(Trial& trial);
void run_filter_offset(Trial& trial);
void run_filter_fraction(Trial& trial);
// Far offsets and small letters.
void run_filter_spelling(Trial& trial);
void run_filter_exact(Trial& trial);
void run_filter_monotone(Trial& trial);
void run_filter_window(Trial& trial);
// A window and a member at once.
void run_filter_combined(Trial& trial);
void run_filter_paged(Trial& trial);
// What pages promise, under a filter.
void run_filter_size(Trial& trial);
void run_member_only(Trial& trial);
void run_member_complete(Trial& trial);
void run_member_unknown(Trial& trial);
void run_member_hostile(Trial& trial);

void run_refused_unchanged(Trial& trial);
// A generated change, taken back.
void run_generated_update(Trial& trial);
void run_update_nothing(Trial& trial);
// The same once every field has been changed.
void run_update_nothing_after(Trial& trial);
void run_update_echo(Trial& trial);
void run_update_stored(Trial& trial);
void run_update_twice(Trial& trial);
void run_update_others(Trial& trial);
void run_update_derived(Trial& trial);
void run_update_null(Trial& trial);
void run_update_text(Trial& trial);
void run_update_empty(Trial& trial);
void run_update_extra(Trial& trial);
void run_update_letters(Trial& trial);
void run_update_unknown(Trial& trial);
void run_update_together(Trial& trial);
void run_update_owned(Trial& trial);
void run_update_other(Trial& trial);

void run_file_whole(Trial& trial);
void run_file_names(Trial& trial);
void run_file_differs(Trial& trial);
void run_file_range(Trial& trial);
void run_file_if_range(Trial& trial);
void run_burst(Trial& trial);
// What the run as a whole saw of the operation; after all other cases.
void run_tally(Trial& trial);

}  // namespace contract_tests::run
