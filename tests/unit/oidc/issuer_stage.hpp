#pragma once

#include "baton/async/task_group.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/signing_key.hpp"
#include "baton/crypto/verification_key.hpp"
#include "baton/oidc/key_source.hpp"
#include "baton/wire/key_set.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/manual_clock.hpp"
#include "support/memory_journal.hpp"

namespace baton::oidc {

constexpr const char* kIssuer = "https://issuer.example";
constexpr const char* kAudience = "relay";

inline const crypto::SigningKey& rsa_key() { // making one takes a while: all tests share it
    static const auto made = crypto::SigningKey::make(crypto::Algorithm::rs256);
    return made;
}

inline const crypto::SigningKey& other_rsa_key() {
    static const auto made = crypto::SigningKey::make(crypto::Algorithm::rs256);
    return made;
}

inline const crypto::SigningKey& elliptic_key() {
    static const auto made = crypto::SigningKey::make(crypto::Algorithm::es256);
    return made;
}

inline std::string key_set_json(const std::vector<std::string>& jwks) {
    return fmt::format(R"({{"keys":[{}]}})", fmt::join(jwks, ","));
}

/// Keys of an issuer that a test can take away, change and hold back.
class ScriptedKeys final : public KeySource {
public:
    explicit ScriptedKeys(std::vector<std::string> jwks) { publish(std::move(jwks)); }

    void publish(std::vector<std::string> jwks) {
        answer_ = wire::read_key_set(key_set_json(jwks));
        ASSERT_TRUE(answer_) << answer_.error().detail;
    }

    void fail_with(Error error) { answer_ = fail(std::move(error)); }

    /// Fetches wait until this clock moves.
    void hold(test::ManualClock* clock) { clock_ = clock; }

    int fetches() const { return fetches_; }

    int most_at_once() const { return most_at_once_; }

    boost::asio::awaitable<Result<wire::KeySet>> fetch() override {
        ++fetches_;
        most_at_once_ = std::max(most_at_once_, ++under_way_);
        if (clock_ != nullptr) {
            co_await clock_->sleep_until(clock_->now() + Millis(1));
        }
        --under_way_;
        co_return answer_;
    }

private:
    Result<wire::KeySet> answer_{fail(Errc::unavailable, "")};
    test::ManualClock* clock_{nullptr};
    int fetches_{0};
    int under_way_{0};
    int most_at_once_{0};
};

/// One loop with its tasks, run until nothing moves without the clock.
class Loop {
public:
    Loop()
        : tasks_(context_.get_executor(), unexpected)
        , callers_(context_.get_executor(), unexpected) {}

    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    ~Loop() {
        callers_.cancel();
        tasks_.cancel();
        settle();
        EXPECT_EQ(tasks_.size() + callers_.size(), 0U);
    }

    async::TaskGroup& tasks() { return tasks_; }

    void settle() {
        context_.restart();
        while (context_.poll() > 0) {
        }
    }

    /// Starts it; what it returned is there after it ended.
    template <class T> std::shared_ptr<std::optional<T>> begin(boost::asio::awaitable<T> work) {
        auto value = std::make_shared<std::optional<T>>();
        callers_.spawn(keep(std::move(work), value));
        settle();
        return value;
    }

    /// What it returned; it must end without the clock moving.
    template <class T> T run(boost::asio::awaitable<T> work) {
        const auto value = begin(std::move(work));
        if (!*value) {
            throw std::logic_error("it waits for something that never comes");
        }
        return **std::move(value);
    }

private:
    template <class T>
    static boost::asio::awaitable<void>
    keep(boost::asio::awaitable<T> work, std::shared_ptr<std::optional<T>> value) {
        value->emplace(co_await std::move(work));
    }

    static void unexpected(const std::string& surprise) { ADD_FAILURE() << surprise; }

    boost::asio::io_context context_;
    async::TaskGroup tasks_;
    async::TaskGroup callers_; // another thread's in the real process
};

/// Claims of an Actions token, good at the time of `clock`; `more` are further members.
inline std::string actions_claims(const test::ManualClock& clock, const std::string& more = "") {
    const auto now = std::chrono::floor<std::chrono::seconds>(clock.now()).time_since_epoch();
    return fmt::format(
        R"({{"iss":"{}","aud":"{}","iat":{},"nbf":{},"exp":{},"repository":"org/backend",)"
        R"("repository_id":"42","repository_owner_id":"7","run_id":"1001","run_attempt":"1"{}}})",
        kIssuer,
        kAudience,
        now.count() - 5,
        now.count() - 5,
        now.count() + 300,
        more
    );
}

} // namespace baton::oidc
