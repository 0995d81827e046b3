// What the door notes of people on call, whether or not it takes the webhook in.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/hmac.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/crypto/webhook_signature.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/level.hpp"
#include "baton/relay/allowlist_book.hpp"
#include "baton/relay/intake.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"
#include "baton/wire/webhook.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contract/store_fixture.hpp"
#include "support/manual_clock.hpp"
#include "support/run_awaitable.hpp"
#include "support/temp_folder.hpp"

namespace baton::relay {
namespace {

using domain::Level;
using test::repo;

constexpr TimePoint kNow = from_ms(1'800'000'000'000); // 2027-01-15T08:00:00Z

class IntakeTest : public ::testing::Test {
protected:
    IntakeTest() {
        domain::Allowlist list;
        list.add({.repo = repo("a/one"), .level = Level::l3, .oncalls = {Login("Olga")}});
        list.add({.repo = repo("b/two"), .level = Level::l2, .oncalls = {Login("olga")}});
        list.add({.repo = repo("c/three"), .level = Level::l4, .oncalls = {Login("per")}});
        book_.put(test::upstream(), std::move(list));
    }

    /// What became of a comment; `place` is what stands beside its number.
    Receipt comment(std::string_view by, std::string_view text, std::string_view place) {
        const auto body = fmt::format(
            R"({{"action":"created","comment":{{"body":"{}"}},)"
            R"("issue":{{"number":7{}}},"repository":{{"full_name":"{}"}},"sender":{{"login":"{}"}}}})",
            text,
            place,
            test::upstream().text(),
            by
        );
        crypto::SignatureCheck check(*crypto::SignatureKeys::make({"s"}));
        check.update(body);
        const auto digest = crypto::HmacKey("s").sign(body);
        const auto proof = check.finish("sha256=" + crypto::to_hex(crypto::view_of(digest)));
        wire::WebhookHead head{
            .event = "issue_comment", .delivery = DeliveryId(fmt::format("d{}", ++deliveries_))
        };
        auto receipt =
            test::run_awaitable(intake_.accept(wire::VerifiedWebhook(*proof, std::move(head), body))
            );
        if (!receipt) {
            throw std::runtime_error(receipt.error().detail);
        }
        return *receipt;
    }

    std::vector<domain::OncallAnswer> noted() {
        auto told = test::run_awaitable(store_->levels().evidence(
            {.upstream = test::upstream(),
             .window = {.from = kNow, .until = kNow + std::chrono::days{1}}}
        ));
        return std::move(told.value().answers);
    }

    test::TempFolder folder_{test::TempFolder::fast_parent()};
    std::unique_ptr<store::SqliteStore> store_{
        *store::SqliteStore::open({.path = folder_.file("baton.db"), .now = kNow})
    };
    test::ManualClock clock_{kNow};
    AllowlistBook book_;
    Intake intake_{
        {.upstreams = {test::upstream()}, .files = {}},
        {.store = *store_,
         .clock = clock_,
         .on_accepted = [] {},
         .book = &book_,
         .levels = &store_->levels()}
    };
    int deliveries_{0};
};

constexpr std::string_view kOnPull = R"(,"pull_request":{"url":"x"})";

TEST_F(IntakeTest, NotesThatSomebodyOnCallAnsweredOnAPullRequest) {
    const auto receipt = comment("OLGA", "we look at it", kOnPull);
    EXPECT_EQ(receipt.kind, Receipt::Kind::ignored) << "there is nothing to plan";
    EXPECT_EQ(receipt.reason, "comment is not a command");
    const std::vector<domain::OncallAnswer> expected{
        {.downstream = repo("a/one"), .pr = PrNumber{7}, .at = kNow},
        {.downstream = repo("b/two"), .pr = PrNumber{7}, .at = kNow},
    };
    EXPECT_EQ(noted(), expected) << "for each that she is on call for";
    comment("olga", "we look at it", kOnPull);
    EXPECT_EQ(noted(), expected) << "the same webhook again";
}

TEST_F(IntakeTest, TakesACommandForAnAnswerToo) {
    EXPECT_EQ(comment("per", "@baton rerun", kOnPull).kind, Receipt::Kind::accepted);
    ASSERT_EQ(noted().size(), 1U);
    EXPECT_EQ(noted()[0].downstream, repo("c/three"));
}

TEST_F(IntakeTest, NotesNothingOfOthersNorOfIssues) {
    comment("ann", "thanks", kOnPull);
    comment("olga", "thanks", "");
    EXPECT_TRUE(noted().empty());
}

} // namespace
} // namespace baton::relay
