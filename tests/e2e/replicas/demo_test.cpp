// `baton demo` in a database instead of a file.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/postgres_place.hpp"
#include "support/process.hpp"

namespace baton::test {
namespace {

using testing::HasSubstr;

Finished demo_in(const std::string& store) {
    return run_command({baton_binary(), "demo", "--seconds", "3", "--seed", "7", "--store", store});
}

TEST(DemoInPostgres, LosesNothingAndPlaysOnlyWhereNothingIs) {
    const PostgresPlace place(PostgresPlace::Holds::nothing);
    const auto played = demo_in(place.url());
    EXPECT_EQ(played.exit_code, 0) << played.out << played.err;
    EXPECT_THAT(played.out, HasSubstr("nothing lost"));
    const auto again = demo_in(place.url());
    EXPECT_EQ(again.exit_code, 2) << again.out;
    EXPECT_THAT(again.err, HasSubstr("the demo plays in an empty database, and postgresql://"));
    const auto file = demo_in("baton.db");
    EXPECT_EQ(file.exit_code, 2);
    EXPECT_EQ(file.err, "baton: --store takes an empty database: postgresql://…\n");
}

} // namespace
} // namespace baton::test
