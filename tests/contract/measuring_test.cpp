#include "baton/base/time.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/measuring.hpp"
#include "baton/store/sql/sql_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "contract/levels_fixture.hpp"
#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "contract/store_kinds.hpp"

namespace baton::test {

namespace {

using domain::Conclusion;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class MeasuringContract : public LevelsContract {
protected:
    ports::Measuring& measuring() { return static_cast<store::SqlStore&>(store()).measuring(); }

    static ports::MeasureQuery about(const std::string& downstream) {
        return {
            .upstream = upstream(),
            .downstream = repo(downstream),
            .window = {.from = at(0), .until = at(1000)}
        };
    }
};

} // namespace

TEST_P(MeasuringContract, TellsOfAttemptsWithTheTestsThatFailed) {
    const auto dispatch = sent("d1", at(10));
    auto red = an_end(Conclusion::failure);
    red.tests = domain::TestCounts{.passed = 9, .failed = 1, .skipped = 5, .total = 15};
    red.detail.failed_tests = {{.name = "t.py::T::a", .message = "boom", .stack = ""}};
    report(dispatch, red, at(30));
    again(dispatch, 2, Conclusion::success, at(40));
    report(dispatch, an_end(Conclusion::cancelled, "101", "other"), at(50));
    const auto attempts = must(measuring().attempts(about("A/One")));
    ASSERT_EQ(attempts.size(), 2U); // what was cancelled tells nothing
    EXPECT_FALSE(attempts[0].passed);
    EXPECT_FALSE(attempts[0].trunk);
    EXPECT_EQ(attempts[0].commit, "aaaa");
    EXPECT_EQ(attempts[0].device, "npu");
    EXPECT_EQ(attempts[0].tests, 10);
    EXPECT_EQ(attempts[0].ended_at, at(30));
    EXPECT_THAT(attempts[0].failed, ElementsAre("t.py::T::a"));
    EXPECT_TRUE(attempts[1].passed);
    EXPECT_THAT(must(measuring().attempts(about("other/one"))), IsEmpty());
}

TEST_P(MeasuringContract, TellsOfNightliesThatNobodySent) {
    must(store().record_report(a_self_report(an_end(Conclusion::success, "7"), at(20))));
    auto red = an_end(Conclusion::failure, "8");
    must(store().record_report(a_self_report(red, at(30)))); // no test: nothing was built
    red.key.run_id = "9";
    red.tests = domain::TestCounts{.passed = 1, .failed = 1, .skipped = 0, .total = 2};
    must(store().record_report(a_self_report(red, at(40))));
    report(sent("d1", at(50), "nightly"), an_end(), at(60)); // this one was sent
    EXPECT_THAT(must(measuring().own_nightlies(about("a/one"))), ElementsAre(at(20), at(40)));
}

TEST_P(MeasuringContract, TellsOfLinksOnceTheNewestFirst) {
    auto said = an_end();
    said.url = "https://ci.example/1";
    said.artifact_url = "https://ci.example/files";
    report(sent("d1", at(10)), said, at(20));
    said.url = "https://ci.example/2";
    report(sent("d2", at(30)), said, at(40));
    EXPECT_THAT(
        must(measuring().links(about("a/one"), 10)),
        ElementsAre("https://ci.example/2", "https://ci.example/files", "https://ci.example/1")
    );
    EXPECT_THAT(
        must(measuring().links(about("a/one"), 2)),
        ElementsAre("https://ci.example/2", "https://ci.example/files")
    );
}

INSTANTIATE_TEST_SUITE_P(Every, MeasuringContract, testing::ValuesIn(sql_kinds()), kind_name);

} // namespace baton::test
