#include "baton/base/time.hpp"
#include "baton/crypto/base64url.hpp"
#include "baton/domain/letter.hpp"
#include "baton/ports/results.hpp"
#include "baton/sink/notify_mail.hpp"

#include <boost/asio/io_context.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

#include "support/run_coroutine.hpp"
#include "support/smtp_receiver.hpp"

namespace baton::sink {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class NotifyMailTest : public ::testing::Test {
protected:
    NotifyMail::Options options(const std::string& scheme = "smtp") const {
        return {
            .name = "notify:team",
            .to = {"a@example.org", "b@example.org"},
            .from = "baton@example.org",
            .server = receiver.url(scheme),
            .username = {},
            .password = {},
            .page = "https://baton.example",
            .encrypt = false,
        };
    }

    domain::SinkAnswer deliver(NotifyMail::Options with, std::string body = kBody) {
        NotifyMail mail(std::move(with));
        ports::TakenLetter letter{.id = 31, .body = std::move(body)};
        letter.created_at = from_ms(1'800'000'000'000);
        return test::run(loop, mail.deliver(std::move(letter))).value();
    }

    static constexpr const char* kBody =
        R"({"kind":"suspended","downstream":"acme/vendor","oncalls":["olga"],"text":"it is out"})";

    boost::asio::io_context loop;
    test::SmtpReceiver receiver;
};

TEST_F(NotifyMailTest, IsTakenByAMailServerWithTheSameNumberEachTime) {
    EXPECT_EQ(deliver(options()).status, 200);
    EXPECT_EQ(deliver(options()).status, 200);
    ASSERT_EQ(receiver.taken().size(), 2U);
    const auto mail = receiver.taken().front();
    EXPECT_THAT(mail.from, HasSubstr("<baton@example.org>"));
    EXPECT_THAT(mail.to, ElementsAre("<a@example.org>", "<b@example.org>"));
    EXPECT_EQ(mail.message, receiver.taken().back().message);
    EXPECT_THAT(
        mail.message,
        AllOf(
            HasSubstr("Subject: [Baton] suspended: acme/vendor\r\n"),
            HasSubstr("Date: Fri, 15 Jan 2027 08:00:00 +0000\r\n"),
            HasSubstr("Message-ID: <baton.31.1800000000000@example.org>\r\n")
        )
    );
    const auto body = mail.message.substr(mail.message.find("\r\n\r\n") + 4);
    EXPECT_EQ(
        crypto::from_base64(body),
        "it is out\n\nOn call: olga\n\n\nhttps://baton.example/b/acme/vendor\n"
    );
}

TEST_F(NotifyMailTest, NothingIsSentInTheOpenWhereItHasToBeEncrypted) {
    auto encrypted = options();
    encrypted.encrypt = true;
    EXPECT_EQ(deliver(encrypted).status, 0) << "the server does not know STARTTLS";
    EXPECT_EQ(deliver(options("smtps")).status, 0) << "it does not speak TLS at all";
    EXPECT_TRUE(receiver.taken().empty());
    EXPECT_TRUE(must_encrypt("smtp://mail.example.org:587"));
    EXPECT_FALSE(must_encrypt("smtp://127.0.0.1:25"));
    EXPECT_FALSE(must_encrypt("smtp://[::1]:25"));
}

TEST_F(NotifyMailTest, ALastingNoEndsTheLetterAndAPassingOneDoesNot) {
    receiver.say("550 no such user");
    EXPECT_EQ(deliver(options()).status, 422);
    receiver.say("451 later");
    EXPECT_EQ(deliver(options()).status, 0);
    EXPECT_EQ(deliver(options(), "{}").status, 422) << "not a letter that this version knows";
    auto nobody = options();
    nobody.server = "smtp://127.0.0.1:1";
    EXPECT_EQ(deliver(nobody).status, 0);
}

} // namespace
} // namespace baton::sink
