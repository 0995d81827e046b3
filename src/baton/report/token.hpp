#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/net/client.hpp"
#include "baton/report/ci.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace baton::report {

/// GitHub Actions mints a token for whoever knows this address and its bearer.
struct ActionsEndpoint {
    std::string url; // with a query
    std::string bearer;
};

/// Buildkite's agent prints one.
struct TokenCommand {
    std::vector<std::string> words;
};

/// GitLab puts it into a variable before the job starts; other CIs into a file.
struct GivenToken {
    std::string token;
};

using TokenPlan = std::variant<ActionsEndpoint, TokenCommand, GivenToken>;

/// How a job in this CI comes by a token for this audience. `not_found` says what the job lacks and
/// which line of its configuration brings it.
Result<TokenPlan> token_plan(Ci ci, const Environment& environment, const std::string& audience);

/// A token as it goes into a header: blanks around it taken off. `invalid` when it cannot be one.
Result<std::string> checked_token(std::string_view text);

/// The token in an answer of GitHub's endpoint: {"value": "…"}. `unavailable` may pass, `forbidden`
/// and `invalid` will not. The error never has the token in it.
Result<std::string> token_in(const net::ClientReply& reply);

/// Runs a program to its end and returns what it printed; `unavailable` or `timed_out` otherwise.
using RunProgram =
    std::function<Result<std::string>(const std::vector<std::string>& words, Millis wait)>;

/// Where tokens come from, again and again: they live for minutes only.
class TokenSource {
public:
    TokenSource(TokenPlan plan, std::string audience, RunProgram run_program)
        : plan_(std::move(plan))
        , audience_(std::move(audience))
        , run_program_(std::move(run_program)) {}

    /// Whether asking again can bring another one.
    bool renews() const { return !std::holds_alternative<GivenToken>(plan_); }

    /// `unavailable` and `timed_out` may pass; everything else will not. The error never has the
    /// token or the bearer in it.
    boost::asio::awaitable<Result<std::string>> mint(Millis wait);

private:
    static boost::asio::awaitable<Result<std::string>>
    ask_actions(ActionsEndpoint endpoint, std::string audience, Millis wait);

    TokenPlan plan_;
    std::string audience_;
    RunProgram run_program_;
};

} // namespace baton::report
