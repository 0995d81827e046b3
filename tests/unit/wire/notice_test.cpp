#include "baton/base/result.hpp"
#include "baton/domain/notification.hpp"
#include "baton/wire/notice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace baton::wire {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kDemoted =
    R"({"kind":"demoted","notification":12,"upstream":"up/stream","downstream":"acme/vendor",)"
    R"("level":"L3","oncalls":["olga","a b"],"text":"acme/vendor has less than its level",)"
    R"("reason":"r","evidence":{"criteria":[{"id":"once.pass","figure":"pass_adj","unit":"share",)"
    R"("window":7,"comparison":">=","target":0.7,"least":40,"bound":"upper",)"
    R"("text":"most jobs pass","value":0.25,"n":40,"lower":0.155,"upper":0.376,"met":"missed",)"
    R"("advice":"51 more"}]},"by":"baton","by_hand":false})";

TEST(Notice, IsReadFromItsLetterAndWrittenForPeople) {
    const auto notice = read_notice(kDemoted);
    ASSERT_TRUE(notice) << notice.error().detail;
    EXPECT_EQ(notice->kind, domain::NotificationKind::demoted);
    EXPECT_EQ(notice->downstream, "acme/vendor");
    EXPECT_THAT(
        notice_comment(*notice, "https://baton.example"),
        AllOf(
            HasSubstr("**demoted**: "),
            HasSubstr("On call: @olga\n"),
            HasSubstr("| `once.pass` | most jobs pass | 7 d |"),
            HasSubstr("https://baton.example/b/acme/vendor/level\n")
        )
    );
}

TEST(Notice, OfTheGateHasNoCriteriaAndLeadsToTheDownstream) {
    const auto notice = read_notice(
        R"({"kind":"suspended","downstream":"acme/vendor","text":"t @all","evidence":{"rule":"silent"}})"
    );
    ASSERT_TRUE(notice) << notice.error().detail;
    EXPECT_THAT(
        notice_comment(*notice, "https://baton.example"),
        AllOf(
            HasSubstr("`t @all`"),
            Not(HasSubstr("criterion")),
            HasSubstr("https://baton.example/b/acme/vendor\n")
        )
    );
    EXPECT_THAT(notice_comment(*notice, ""), Not(HasSubstr("http")));
}

TEST(Notice, OfSeveralLeadsToAllLevels) {
    const auto notice = read_notice(R"({"kind":"watch","downstream":"","text":"t"})");
    ASSERT_TRUE(notice) << notice.error().detail;
    EXPECT_THAT(
        notice_comment(*notice, "https://b.example"), HasSubstr("https://b.example/levels")
    );
}

TEST(Notice, IsRefusedWhenThisVersionDoesNotKnowIt) {
    for (const auto* const body : {"", "[]", "{}", R"({"kind":"sung"})", R"({"kind":3})"}) {
        SCOPED_TRACE(body);
        EXPECT_EQ(read_notice(body).error().code, Errc::invalid);
    }
}

} // namespace
} // namespace baton::wire
