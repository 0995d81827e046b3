#include "baton/oidc/key_ring.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/verification_key.hpp"
#include "baton/oidc/key_source.hpp"
#include "baton/ports/journal.hpp"
#include "baton/wire/key_set.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::oidc {

namespace asio = boost::asio;

namespace {

constexpr int kFetchesWaitedFor = 2; // one under way may have begun before the key was published

Error not_read_yet() {
    return {.code = Errc::unavailable, .detail = "not read yet"};
}

} // namespace

/// Nobody is left waiting when the loop ends, however it ends.
class KeyRing::Shift {
public:
    explicit Shift(KeyRing& ring)
        : ring_(ring) {}

    Shift(const Shift&) = delete;
    Shift& operator=(const Shift&) = delete;

    ~Shift() { ring_.let_go(); }

private:
    KeyRing& ring_;
};

KeyRing::KeyRing(std::string issuer, Surroundings around)
    : issuer_(std::move(issuer))
    , around_(around)
    , bell_(around_.clock.make_bell()) {}

asio::awaitable<Result<crypto::VerificationKey>>
KeyRing::find(std::string key_id, std::optional<TimePoint> issued_at) {
    const auto asked = around_.clock.now();
    for (int fetches = 0; fetches <= kFetchesWaitedFor; ++fetches) {
        if (auto key = look(key_id)) {
            co_return *std::move(key);
        }
        if (fetches < kFetchesWaitedFor) {
            const bool again = co_await refreshed();
            if (!again) {
                break;
            }
        }
    }
    co_return fail(missing(std::min(issued_at.value_or(asked), asked)));
}

std::optional<crypto::VerificationKey> KeyRing::look(std::string_view key_id) const {
    const std::scoped_lock lock(mutex_);
    if (!keys_) {
        return std::nullopt;
    }
    const auto found = keys_->keys.find(key_id);
    return found == keys_->keys.end() ? std::nullopt : std::optional(found->second);
}

/// Whoever signed with a key that was not there after `since` signed with none of the issuer's.
Error KeyRing::missing(TimePoint since) const {
    const std::scoped_lock lock(mutex_);
    const auto wait = rest_of_the_minute();
    if (keys_ && !failure_ && !stopped_ && wait && read_at_ < since) {
        return {
            .code = Errc::unavailable,
            .detail = fmt::format(
                "the token is signed with a key that {} did not publish before the token was "
                "issued; its keys are asked for again in {}: try again then",
                issuer_,
                to_text(*wait)
            ),
        };
    }
    if (keys_ && !failure_ && !stopped_) {
        return {
            .code = Errc::unauthenticated,
            .detail = fmt::format(
                "the token is signed with a key that {} does not publish; if it has just changed "
                "its keys, try again in a minute",
                issuer_
            ),
        };
    }
    // A new key and a wrong one look the same now.
    const auto why = stopped_   ? "this relay is stopping"
                     : failure_ ? failure_->detail
                                : not_read_yet().detail;
    return {
        .code = Errc::unavailable,
        .detail =
            fmt::format("the keys of {} cannot be had now ({}): try again later", issuer_, why),
    };
}

/// A time in the future is from before the clock was set back.
std::optional<Millis> KeyRing::rest_of_the_minute() const {
    const auto now = around_.clock.now();
    const bool just_asked = asked_at_ && *asked_at_ <= now && now < *asked_at_ + kAskedAgain;
    return just_asked ? std::optional<Millis>(*asked_at_ + kAskedAgain - now) : std::nullopt;
}

std::optional<Millis> KeyRing::asks_again_in() const {
    const std::scoped_lock lock(mutex_);
    return rest_of_the_minute();
}

asio::awaitable<bool> KeyRing::refreshed() {
    const auto home = co_await asio::this_coro::executor;
    bool waited = false;
    auto* place = &waited; // this frame outlives the wait
    auto start = [this, home, place](auto handler) {
        const auto kept = std::make_shared<decltype(handler)>(std::move(handler));
        auto wake = [home, kept] { asio::post(home, std::move(*kept)); };
        *place = join_or_ask(wake);
        if (!*place) {
            wake();
        }
    };
    co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(
        std::move(start), asio::use_awaitable
    );
    co_return waited;
}

bool KeyRing::join_or_ask(std::function<void()> wake) {
    const std::scoped_lock lock(mutex_);
    if (stopped_) {
        return false;
    }
    if (!fetching_ && !wanted_) {
        if (rest_of_the_minute()) {
            return false;
        }
        asked_at_ = around_.clock.now();
        wanted_ = true;
        bell_->ring();
    }
    waiting_.push_back(std::move(wake));
    return true;
}

asio::awaitable<void> KeyRing::run() {
    const Shift shift(*this);
    for (;;) {
        std::string surprise;
        try {
            co_await turn();
        } catch (const boost::system::system_error& error) {
            if (error.code() == asio::error::operation_aborted) {
                throw; // we are stopping
            }
            surprise = error.what();
        } catch (const std::exception& error) {
            surprise = error.what();
        }
        if (!surprise.empty()) {
            end(fail(Errc::unavailable, surprise)); // whoever waits is answered
            around_.journal.note(
                ports::Trouble{.healed = false, .where = "keys", .detail = std::move(surprise)}
            );
            co_await around_.clock.sleep_until(around_.clock.now() + kRetry);
        }
    }
}

asio::awaitable<void> KeyRing::turn() {
    begin();
    auto fetched = co_await fetch();
    tell(fetched);
    end(std::move(fetched));
    while (!wanted_or_due()) {
        co_await bell_->wait_until(due_);
    }
}

bool KeyRing::wanted_or_due() const {
    const std::scoped_lock lock(mutex_);
    return wanted_ || around_.clock.now() >= due_;
}

void KeyRing::begin() {
    const std::scoped_lock lock(mutex_);
    wanted_ = false;
    fetching_ = true;
    began_ = around_.clock.now();
}

void KeyRing::end(Result<wire::KeySet> fetched) {
    {
        const std::scoped_lock lock(mutex_);
        fetching_ = false;
        if (fetched) {
            if (!keys_) {
                asked_at_.reset(); // whoever came before the first keys asked for no unknown one
            }
            keys_ = std::make_shared<const wire::KeySet>(*std::move(fetched));
            read_at_ = began_;
            failure_.reset();
            due_ = around_.clock.now() + kRefresh;
        } else {
            failure_ = std::move(fetched).error();
            due_ = around_.clock.now() + kRetry;
        }
    }
    wake_all();
}

void KeyRing::let_go() {
    {
        const std::scoped_lock lock(mutex_);
        stopped_ = true;
    }
    wake_all();
}

void KeyRing::wake_all() {
    std::vector<std::function<void()>> waiting;
    {
        const std::scoped_lock lock(mutex_);
        waiting.swap(waiting_);
    }
    for (const auto& wake : waiting) {
        wake();
    }
}

/// The net: a surprise is a fetch that failed.
asio::awaitable<Result<wire::KeySet>> KeyRing::fetch() {
    try {
        co_return co_await around_.source.fetch();
    } catch (const boost::system::system_error& error) {
        if (error.code() == asio::error::operation_aborted) {
            throw; // we are stopping
        }
        co_return fail(Errc::unavailable, error.what());
    } catch (const std::exception& error) {
        co_return fail(Errc::unavailable, error.what());
    }
}

/// Once when keys cannot be had, once when they can again, and what is odd about them when that is
/// news.
void KeyRing::tell(const Result<wire::KeySet>& fetched) {
    if (!fetched && fetched.error().code == Errc::cancelled) {
        return; // we are stopping: that says nothing about the issuer
    }
    if (!fetched && !std::exchange(told_trouble_, true)) {
        const auto& error = fetched.error();
        around_.journal.note(ports::Trouble{
            .healed = error.code != Errc::invalid, // an issuer that is away comes back by itself
            .where = "keys",
            .detail = fmt::format(
                "the keys of {} cannot be had: {}; {}",
                issuer_,
                error.detail,
                keys_ ? "the ones known before go on verifying" : "its tokens are answered with 503"
            ),
        });
    }
    if (fetched && std::exchange(told_trouble_, false)) {
        around_.journal.note(ports::Trouble{
            .healed = true,
            .where = "keys",
            .detail = fmt::format("the keys of {} can be had again", issuer_),
        });
    }
    if (fetched && fetched->remarks != told_remarks_) {
        told_remarks_ = fetched->remarks;
        for (const auto& remark : told_remarks_) {
            around_.journal.note(ports::Trouble{
                .healed = true, .where = "keys", .detail = fmt::format("{}: {}", issuer_, remark)
            });
        }
    }
}

std::optional<Error> KeyRing::trouble() const {
    const std::scoped_lock lock(mutex_);
    if (keys_) {
        return std::nullopt;
    }
    return failure_ ? failure_ : not_read_yet();
}

} // namespace baton::oidc
