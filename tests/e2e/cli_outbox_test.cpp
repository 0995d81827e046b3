// `baton outbox` on a store without a relay.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contract/store_fixture.hpp"
#include "e2e/cli_store.hpp"
#include "e2e/cli_support.hpp"

namespace baton::test {
namespace {

using ::testing::HasSubstr;

TEST(OutboxCommand, HasNothingToSayAboutAStoreWithoutLetters) {
    const StorePlace place;
    place.open(at(0));
    const auto path = place.text();
    const auto listed = baton({"outbox", "list", "--store", path});
    EXPECT_EQ(listed.exit_code, 0) << listed.err;
    EXPECT_EQ(listed.out, "0 letters waiting, 0 given up\n");
    const auto json = json_in(baton({"outbox", "list", "--store", path, "--json"}));
    EXPECT_EQ(json.at("waiting").as_int64(), 0);
    EXPECT_TRUE(json.at("oldest_at").is_null());
    EXPECT_TRUE(json.at("dead_letters").as_array().empty());
    EXPECT_EQ(baton({"outbox", "retry", "--store", path}).exit_code, 1);
}

TEST(OutboxCommand, RefusesWhatItCannotUse) {
    EXPECT_EQ(baton({"outbox", "list", "--store", "/nowhere/x.db"}).exit_code, 2);
    EXPECT_EQ(baton({"outbox", "list", "--store", "x", "--limit", "0"}).exit_code, 2);
    const auto bare = baton({"outbox"});
    EXPECT_EQ(bare.exit_code, 2);
}

} // namespace
} // namespace baton::test
