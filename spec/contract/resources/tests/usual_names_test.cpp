#include "spec/contract/resources/usual_names.hpp"

#include "spec/text/names.hpp"

#include <gtest/gtest.h>

namespace spec::contract::resources {
namespace {

TEST(NamesOfTimes, times_of_the_last_change_are_known_in_every_usual_form) {
  for (const char* const name :
       {"modified", "modified_at", "modifiedAt", "modifiedOn", "lastModified", "last_modified_at",
        "lastModifiedDateTime", "updated", "updated_at", "updateTime", "dateUpdated", "lastUpdate",
        "last_updated_on", "changedAt", "modificationDate"}) {
    EXPECT_TRUE(is_time_of_change(text::plain_name(name))) << name;
    EXPECT_TRUE(is_time_of_record(text::plain_name(name))) << name;
  }
}

TEST(NamesOfTimes, times_of_the_creation_are_no_times_of_changes) {
  for (const char* const name : {"created", "created_at", "createdOn", "creationDate",
                                 "creationTimestamp", "createTime", "dateCreated"}) {
    EXPECT_TRUE(is_time_of_record(text::plain_name(name))) << name;
    EXPECT_FALSE(is_time_of_change(text::plain_name(name))) << name;
  }
}

TEST(NamesOfTimes, are_no_other_names) {
  for (const char* const name :
       {"date", "at", "last", "updatesAt", "nextUpdate", "modifiedBy", "deletedAt", "lastSeen"}) {
    EXPECT_FALSE(is_time_of_record(text::plain_name(name))) << name;
  }
}

}  // namespace
}  // namespace spec::contract::resources
