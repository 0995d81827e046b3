#include "baton/base/ids.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "contract/store_fixture.hpp"
#include "e2e/cli_store.hpp"
#include "e2e/cli_support.hpp"
#include "support/run_awaitable.hpp"

namespace baton::test {

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kOld = R"(L1:
  - org1/stays: [ann, bob]
  - org1/leaves
L3:
  npu:
    org3/climbs: [dora]
)";

constexpr const char* kNew = R"(L1:
  - org1/comes
  - Org1/Stays: [bob, ann]
L4:
  - org3/climbs: {oncalls: [dora], device: npu, required_jobs: [build]}
)";

class AllowlistDiff : public ::testing::Test {
protected:
    std::string old_list(const std::string& text = kOld) const {
        return folder_.write("old.yml", text);
    }

    std::string new_list(const std::string& text = kNew) const {
        return folder_.write("new.yml", text);
    }

    /// A store in which `kOld` is in force for each of these upstreams, and a dispatch waits.
    std::string store_of(const std::vector<std::string>& upstreams) const {
        const auto store = place_.open(at(0));
        for (const auto& name : upstreams) {
            ports::AllowlistVersion version{
                .upstream = repo(name),
                .source = "file:a",
                .mark = "1",
                .text = kOld,
                .in_force_at = at(0)
            };
            EXPECT_TRUE(run_awaitable(store->record_allowlist(std::move(version))));
        }
        EXPECT_TRUE(run_awaitable(store->insert_delivery(a_delivery("d1"))));
        EXPECT_TRUE(run_awaitable(
            store->commit_plan(a_plan("d1", {a_dispatch("d1", "org1/leaves")}, at(1)))
        ));
        return place_.text();
    }

    TemporaryFolder folder_;
    StorePlace place_;
};

TEST_F(AllowlistDiff, SaysWhoComesLeavesAndMovesAndWhatThatMeans) {
    const auto told = baton({"allowlist", "diff", old_list(), new_list()});
    EXPECT_EQ(told.exit_code, 1) << told.err;
    EXPECT_THAT(
        told.out,
        AllOf(
            HasSubstr("new.yml: 1 added, 1 removed, 1 moved\n"),
            HasSubstr("+ org1/comes L1\n    gets pull requests and pushes\n"),
            HasSubstr("~ org3/climbs L3 → L4\n    required_jobs: - → [\"build\"]\n"),
            HasSubstr("gets a check on every pull request; blocks merges through the gate\n"),
            HasSubstr("- org1/leaves L1\n    gets no events any more\n")
        )
    );
}

TEST_F(AllowlistDiff, SeesNothingInOrderAndSpelling) {
    const auto same = baton(
        {"allowlist",
         "diff",
         old_list("L1: [a/b, c/d: [ann, bob]]\n"),
         new_list("L1:\n  - C/D: 'bob, ann'\n  - A/B\n")}
    );
    EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
    EXPECT_THAT(same.out, HasSubstr("the same for everybody\n"));
}

TEST_F(AllowlistDiff, ComparesWithWhatIsInForceAndCountsWhatWouldBeCancelled) {
    const auto store = store_of({"Up/Stream"});
    const auto told = baton({"allowlist", "diff", "--store", store, new_list()});
    EXPECT_EQ(told.exit_code, 1) << told.err;
    EXPECT_THAT(told.out, HasSubstr("Up/Stream in force → "));
    EXPECT_THAT(
        told.out, HasSubstr("gets no events any more; 1 waiting dispatch will be cancelled\n")
    );
    const auto same = baton({"allowlist", "diff", "--store", store, old_list()});
    EXPECT_EQ(same.exit_code, 0) << same.out;
}

TEST_F(AllowlistDiff, AsksWhichUpstreamIsMeantWhenThereAreSeveral) {
    const auto store = store_of({"Up/Stream", "up/other"});
    const auto unsaid = baton({"allowlist", "diff", "--store", store, new_list()});
    EXPECT_EQ(unsaid.exit_code, 2);
    EXPECT_THAT(
        unsaid.err,
        HasSubstr("say which upstream, after the file; this store has lists of: up/other, Up/Stream"
        )
    );
    const auto said = baton({"allowlist", "diff", "--store", store, new_list(), "UP/other"});
    EXPECT_EQ(said.exit_code, 1) << said.err;
    EXPECT_EQ(baton({"allowlist", "diff", "--store", store, new_list(), "no/body"}).exit_code, 2);
}

TEST_F(AllowlistDiff, SpeaksJson) {
    const auto told = json_in(baton({"allowlist", "diff", "--json", old_list(), new_list()}));
    EXPECT_FALSE(told.at("same").as_bool());
    const auto& changes = told.at("changes").as_array();
    ASSERT_EQ(changes.size(), 3U);
    EXPECT_EQ(changes[1].at("downstream").as_string(), "org3/climbs");
    EXPECT_EQ(changes[1].at("change").as_string(), "moved");
    EXPECT_EQ(changes[1].at("level_before").as_string(), "L3");
    EXPECT_EQ(changes[1].at("level_after").as_string(), "L4");
    EXPECT_EQ(changes[1].at("keys").at(0).at("key").as_string(), "required_jobs");
    EXPECT_TRUE(changes[1].at("keys").at(0).at("before").is_null());
    EXPECT_EQ(changes[2].at("change").as_string(), "removed");
    EXPECT_TRUE(changes[2].at("level_after").is_null());
}

TEST_F(AllowlistDiff, RefusesListsThatWouldNotComeIntoForce) {
    const auto broken = baton({"allowlist", "diff", old_list(), new_list("L1: [nonsense]\n")});
    EXPECT_EQ(broken.exit_code, 2);
    EXPECT_EQ(broken.out, "");
    EXPECT_THAT(broken.err, HasSubstr("new.yml:1:"));
    const auto blank = baton({"allowlist", "diff", old_list(), new_list("# cut off\n")});
    EXPECT_EQ(blank.exit_code, 2);
    EXPECT_THAT(blank.err, HasSubstr("is empty and would not come into force"));
    EXPECT_EQ(baton({"allowlist", "diff", old_list()}).exit_code, 2);
    EXPECT_EQ(baton({"allowlist", "diff", old_list(), folder_.file("no.yml")}).exit_code, 2);
}

} // namespace

} // namespace baton::test
