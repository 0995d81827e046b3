#include "baton/api/audit.hpp"
#include "baton/ports/store.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace baton::api {
namespace {

std::string
told(const std::string& kind, const std::string& detail, const std::string& delivery = "") {
    const auto act =
        audit_line_of({.sequence = 7, .kind = kind, .delivery = delivery, .detail = detail});
    return act ? fmt::format(
                     "{} | {} | {} | {} | {}",
                     act->action,
                     act->actor,
                     act->subject,
                     act->reason,
                     act->detail
                 )
               : "nothing";
}

TEST(TheAudit, TellsWhoDidWhatToWhatAndWhy) {
    struct Case {
        const char* kind;
        const char* detail;
        const char* delivery;
        const char* told;
    };

    constexpr Case kCases[] = {
        {"acted",
         R"({"action":"suspended","actor":"admin token 1a","subject":"down/one","reason":"racks","text":"t"})",
         "",
         "suspended | admin token 1a | down/one | racks | t"},
        {"suspended",
         "by ann on the command line: down/one from every upstream suspended: new racks",
         "",
         "suspended | ann on the command line | down/one |  | down/one from every upstream "
         "suspended: new racks"},
        {"redelivered",
         "by bob: generation 2, after 12 was dead",
         "d1",
         "redelivered | bob | d1 |  | generation 2, after 12 was dead"},
        {"tested",
         "a test that ann asked for",
         "t1",
         "tested | ann | t1 |  | a test that ann asked for"},
        {"rerun_ordered",
         "every run of down/one for up/stream #7 (failed jobs), by ann",
         "",
         "rerun_ordered | ann |  |  | every run of down/one for up/stream #7 (failed jobs)"},
        {"gate_suspended",
         R"({"upstream":"up/stream","downstream":"down/one","by_hand":true,"actor":"ann","reason":"r"})",
         "",
         "gate_suspended | ann | down/one | r | of the gate of up/stream"},
    };
    for (const auto& c : kCases) {
        EXPECT_EQ(told(c.kind, c.detail, c.delivery), c.told);
    }
}

TEST(TheAudit, LeavesOutWhatNobodyDidAndWhatAnotherLineTells) {
    EXPECT_EQ(told("planned", "{}"), "nothing");
    EXPECT_EQ(told("gate_suspended", R"({"by_hand":false,"downstream":"down/one"})"), "nothing");
    for (const std::string who : {"infrastructure", "baton"}) {
        const auto order = "run 1 of down/one for up/stream #7 (failed jobs), by " + who;
        EXPECT_EQ(told("rerun_ordered", order), "nothing");
    }
    EXPECT_EQ(
        told("suspended", "by admin token 1a for ann: down/one from up/stream suspended"), "nothing"
    );
    EXPECT_EQ(told("acted", "no JSON"), "nothing");
}

} // namespace
} // namespace baton::api
