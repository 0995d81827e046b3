#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/caller.hpp"
#include "baton/sim/actions_runs.hpp"
#include "baton/sim/downstream_script.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// What a scripted downstream says to the relay, and what it hears. Pure.
namespace baton::sim {

/// What a downstream was given to echo: the `client_payload` of a dispatch, or what a nightly makes
/// up.
struct Echo {
    std::string payload; // a JSON object
    std::string delivery_id;
};

/// One report on its way, with all that saying it takes.
struct Report {
    std::int64_t number{0}; // in the order of the script
    TimePoint due{};
    Script script{Script::pass};
    ScriptStep step;
    ActionsRun run;      // that the body is about
    ActionsRun identity; // that the token is about: the same one unless forged
    std::string audience;
    std::string callback_url;
    std::shared_ptr<const Echo> echo;
    std::string other_callback_token; // for Forgery::other_dispatch
    int tries{0};
    TimePoint said_at{}; // at the first try: what is said again is the same to the byte
};

/// The body as the published callback action sends it: the echo plus `workflow`, ids as texts.
std::string body_of(const Report& report);

/// Who a verifier takes the bearer of a token about this run for.
domain::Caller caller_of(const ActionsRun& run);

/// What the relay answered.
struct ReportAnswer {
    int status{0}; // 0: nothing was heard
    std::string body;
    std::optional<bool> proceed;
    bool duplicate{false};
    bool stale{false};
    bool ignored{false}; // nothing of it is kept: the downstream is at level 1
    std::optional<std::chrono::seconds> retry_after;

    /// Nothing that was said with the report is wrong: it may be said again.
    bool worth_another_try() const { return status == 0 || status == 429 || status >= 500; }
};

/// Reads what counts out of a body; one that is no JSON object has none of it.
ReportAnswer answer_in(int status, std::string body);

} // namespace baton::sim
