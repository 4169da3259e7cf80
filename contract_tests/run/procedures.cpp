#include "contract_tests/run/procedures.hpp"

#include "contract_tests/run/description.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace contract_tests::run {

namespace {

using Entry = std::pair<std::string_view, Procedure>;

constexpr std::array<Entry, 60> kProcedures{{
    {"description", &run_description},
    {"exchange", &run_exchange},
    {"hostile", &run_hostile},
    {"same", &run_same},
    {"generated", &run_generated},
    {"head", &run_head},
    {"method", &run_method},
    {"silent_refusal", &run_silent_refusal},
    {"later", &run_later},
    {"together", &run_together},
    {"validator", &run_validator},
    {"reuse", &run_reuse},
    {"page_size", &run_page_size},
    {"pages_partition", &run_pages_partition},
    {"pages_first", &run_pages_first},
    {"pages_unsized", &run_pages_unsized},
    {"pages_past_end", &run_pages_past_end},
    {"pages_order", &run_pages_order},
    {"pages_every", &run_pages_every},
    {"pages_time", &run_pages_time},
    {"filter_inclusive", &run_filter_inclusive},
    {"filter_leak", &run_filter_leak},
    {"filter_offset", &run_filter_offset},
    {"filter_fraction", &run_filter_fraction},
    {"filter_spelling", &run_filter_spelling},
    {"filter_exact", &run_filter_exact},
    {"filter_monotone", &run_filter_monotone},
    {"filter_window", &run_filter_window},
    {"filter_combined", &run_filter_combined},
    {"filter_paged", &run_filter_paged},
    {"filter_size", &run_filter_size},
    {"member_only", &run_member_only},
    {"member_complete", &run_member_complete},
    {"member_unknown", &run_member_unknown},
    {"member_hostile", &run_member_hostile},
    {"refused_unchanged", &run_refused_unchanged},
    {"generated_update", &run_generated_update},
    {"update_nothing", &run_update_nothing},
    {"update_nothing_after", &run_update_nothing_after},
    {"update_echo", &run_update_echo},
    {"update_stored", &run_update_stored},
    {"update_twice", &run_update_twice},
    {"update_others", &run_update_others},
    {"update_derived", &run_update_derived},
    {"update_null", &run_update_null},
    {"update_text", &run_update_text},
    {"update_empty", &run_update_empty},
    {"update_extra", &run_update_extra},
    {"update_letters", &run_update_letters},
    {"update_unknown", &run_update_unknown},
    {"update_together", &run_update_together},
    {"update_owned", &run_update_owned},
    {"update_other", &run_update_other},
    {"file_whole", &run_file_whole},
    {"file_names", &run_file_names},
    {"file_differs", &run_file_differs},
    {"file_range", &run_file_range},
    {"file_if_range", &run_file_if_range},
    {"burst", &run_burst},
    {"tally", &run_tally},
}};

}  // namespace

Procedure find_procedure(std::string_view name) {
  const auto* found = std::ranges::find(kProcedures, name, &Entry::first);
  return found == kProcedures.end() ? nullptr : found->second;
}

}  // namespace contract_tests::run
