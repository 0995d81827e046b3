#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/net/client.hpp"
#include "baton/ports/chance.hpp"
#include "baton/ports/clock.hpp"
#include "baton/report/answer.hpp"
#include "baton/report/body.hpp"
#include "baton/report/token.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::report {

/// How sending a report ended.
enum class Ending : std::uint8_t {
    accepted = 1, // the relay has it; also when it had it before
    ignored,      // the relay takes no results from this repository: it is listed at L1
    refused,      // the relay said no
    unreachable,  // no answer, or only "later", for as long as we were told to try
    no_token,     // this job cannot say who it is
};

std::string_view name_of(Ending ending);

struct Outcome {
    Ending ending{Ending::unreachable};
    Answer answer; // the last one
    int tries{0};
    std::vector<std::string> notes; // what the report had to leave out
};

/// Where a relay takes reports.
struct CallbackAddress {
    std::string base;   // https://relay.example.org
    std::string target; // /github/callback

    friend bool operator==(const CallbackAddress&, const CallbackAddress&) = default;
};

/// From the relay's address, with or without `/github/callback` and a final slash. `invalid` says
/// what is wrong with it: https is needed, http only for this machine.
Result<CallbackAddress> callback_address(std::string_view url);

/// Sends one report: a token, a POST, and as many more of both as `decide` asks for. Runs on the
/// executor that it is awaited on; what it is given outlives it.
class Sender {
public:
    struct Options {
        CallbackAddress to;
        std::string ca_file; // extra trust anchor; empty: the system's
        Patience patience;
        Millis wait_each{std::chrono::seconds(10)}; // one exchange
    };

    /// `on_delay` is told, in a sentence, why there is another try.
    Sender(
        Options options,
        TokenSource& tokens,
        ports::Clock& clock,
        ports::Chance& chance,
        std::function<void(const std::string&)> on_delay
    )
        : options_(std::move(options))
        , tokens_(&tokens)
        , clock_(&clock)
        , chance_(&chance)
        , on_delay_(std::move(on_delay)) {}

    /// `invalid` when there is no report to send or no client to send it with.
    boost::asio::awaitable<Result<Outcome>> send(Report report);

private:
    struct Attempt {
        Answer answer;
        bool without_token{false}; // it failed before the relay was asked
        bool for_good{false};      // and will fail again
    };

    boost::asio::awaitable<Attempt>
    attempt(net::Client* client, const std::string* body, Millis wait);
    boost::asio::awaitable<void> pause(Decision decision, Attempt last);

    Options options_;
    TokenSource* tokens_;
    ports::Clock* clock_;
    ports::Chance* chance_;
    std::function<void(const std::string&)> on_delay_;
    std::string token_; // empty: mint one first
};

} // namespace baton::report
