#include "baton/sim/in_process_github.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/chance.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::sim {

namespace asio = boost::asio;
using domain::Answer;
using domain::Outcome;

namespace {

Outcome outcome_of(int status, std::string_view message) {
    if (status >= 200 && status < 300) {
        return Outcome::accepted;
    }
    if (status == 401) {
        return Outcome::unauthenticated;
    }
    if (status == 429 || (status == 403 && message.find("rate limit") != std::string_view::npos)) {
        return Outcome::throttled;
    }
    if (status == 422 && message.find("too large") != std::string_view::npos) {
        return Outcome::too_large;
    }
    return status >= 500 ? Outcome::unknown : Outcome::refused;
}

Errc code_of(int status, std::string_view message) {
    switch (outcome_of(status, message)) {
    case Outcome::unauthenticated:
        return Errc::unauthenticated;
    case Outcome::throttled:
        return Errc::throttled;
    case Outcome::refused:
    case Outcome::too_large:
        return status == 404 ? Errc::not_found : Errc::forbidden;
    case Outcome::accepted:
    case Outcome::not_sent:
    case Outcome::unknown:
        return Errc::unavailable;
    }
    return Errc::unavailable;
}

Answer answer_of(int status, const std::string& message) {
    return Answer{
        .outcome = outcome_of(status, message),
        .status = status,
        .detail = message,
        .not_before = std::nullopt,
    };
}

/// What a dispatch hears when it does not hear the truth.
Answer fault_answer(const Fault& fault, TimePoint now) {
    if (fault.ending == Fault::Ending::unreachable) {
        return {.outcome = Outcome::not_sent, .detail = "cannot connect"};
    }
    if (fault.ending != Fault::Ending::status) {
        return {.outcome = Outcome::unknown, .detail = "the connection broke"};
    }
    auto answer = answer_of(fault.status, fault.message);
    if (fault.retry_after) {
        answer.not_before = now + *fault.retry_after;
    }
    return answer;
}

Error fault_error(const Fault& fault) {
    if (fault.ending == Fault::Ending::status) {
        return {.code = code_of(fault.status, fault.message), .detail = fault.message};
    }
    return {.code = Errc::unavailable, .detail = "no connection"};
}

const Error kTimedOut{.code = Errc::timed_out, .detail = "GitHub did not answer in time"};

} // namespace

InProcessGithub::InProcessGithub(
    GithubModel& model, Faults& faults, ports::Clock& clock, ports::Chance& chance
)
    : InProcessGithub(model, faults, clock, chance, Options{}) {}

InProcessGithub::InProcessGithub(
    GithubModel& model, Faults& faults, ports::Clock& clock, ports::Chance& chance, Options options
)
    : model_(model)
    , faults_(faults)
    , clock_(clock)
    , chance_(chance)
    , options_(options) {}

asio::awaitable<InProcessGithub::Trip>
InProcessGithub::set_out(std::string route, std::optional<RepoName> repo) {
    ++requests_[route];
    const auto span =
        static_cast<std::uint64_t>((options_.latency_max - options_.latency_min).count());
    const Millis latency = options_.latency_min + Millis(chance_.draw().below(span + 1));
    Trip trip{
        .fault = faults_.decide(route, repo),
        .give_up_at = clock_.now() + options_.call_wait,
        .way_back = latency - latency / 2,
    };
    const auto there = clock_.now() + latency / 2;
    co_await clock_.sleep_until(there);
    co_return trip;
}

asio::awaitable<bool> InProcessGithub::come_back(Trip trip) {
    const auto back = clock_.now() + trip.way_back + trip.fault.delay;
    const bool in_time = trip.fault.ending != Fault::Ending::drop && back < trip.give_up_at;
    const auto until = in_time ? back : trip.give_up_at;
    co_await clock_.sleep_until(until);
    co_return in_time;
}

asio::awaitable<Answer> InProcessGithub::dispatch(ports::DispatchCall call) {
    const auto trip = co_await set_out("dispatches", call.downstream);
    Answer truth;
    if (trip.fault.perform && trip.fault.ending != Fault::Ending::unreachable) {
        truth = perform(call);
    }
    const bool in_time = co_await come_back(trip);
    if (!in_time) {
        co_return Answer{.outcome = Outcome::unknown, .detail = kTimedOut.detail};
    }
    if (trip.fault.ending != Fault::Ending::answer) {
        co_return fault_answer(trip.fault, clock_.now());
    }
    co_return truth;
}

Answer InProcessGithub::perform(const ports::DispatchCall& call) {
    const auto* const repo = reach(call.downstream);
    if (repo == nullptr || !repo->installed) {
        return answer_of(404, "Not Found");
    }
    const auto now = clock_.now();
    auto& limit = model_.rate_limit(model_.installation_of(*repo), now);
    if (limit.remaining() == 0) {
        auto answer = answer_of(403, "API rate limit exceeded");
        answer.not_before = limit.reset_at;
        return answer;
    }
    ++limit.used;
    const auto reply = model_.dispatch(repo->id, call.body, now);
    return answer_of(reply.status, reply.message);
}

const Repo* InProcessGithub::reach(const RepoName& name) const {
    if (const auto* const found = model_.repo(name)) {
        return found;
    }
    const auto id = model_.moved(name); // the real client follows the redirect
    return id ? model_.repo(*id) : nullptr;
}

asio::awaitable<Result<std::optional<ports::FileVersion>>>
InProcessGithub::read_file(ports::FileQuery query) {
    const auto trip = co_await set_out("contents", query.repo);
    auto truth = look(query);
    const bool in_time = co_await come_back(trip);
    if (!in_time) {
        co_return fail(kTimedOut);
    }
    if (trip.fault.ending != Fault::Ending::answer) {
        co_return fail(fault_error(trip.fault));
    }
    co_return truth;
}

Result<std::optional<ports::FileVersion>> InProcessGithub::look(const ports::FileQuery& query
) const {
    const auto* const repo = reach(query.repo);
    const auto* const branch = repo == nullptr ? nullptr : GithubModel::branch(*repo, query.ref);
    if (branch == nullptr || !branch->files.contains(query.path)) {
        return fail(
            Errc::not_found,
            fmt::format("{} has no {} at {}", query.repo.text(), query.path, query.ref)
        );
    }
    const auto& text = branch->files.at(query.path);
    auto etag = fmt::format("\"{}\"", crypto::sha256_hex("raw " + text)); // the same as over HTTP
    if (etag == query.etag) {
        return std::nullopt;
    }
    return ports::FileVersion{.text = text, .etag = std::move(etag)};
}

asio::awaitable<Result<domain::Permission>> InProcessGithub::permission(ports::PermissionQuery query
) {
    const auto trip = co_await set_out("permission", query.repo);
    const auto* const repo = reach(query.repo);
    const auto may =
        repo == nullptr ? domain::Permission::none : model_.permission(*repo, query.login);
    const bool in_time = co_await come_back(trip);
    if (!in_time) {
        co_return fail(kTimedOut);
    }
    if (trip.fault.ending != Fault::Ending::answer) {
        co_return fail(fault_error(trip.fault));
    }
    co_return may;
}

asio::awaitable<Result<void>> InProcessGithub::check_access() {
    const auto trip = co_await set_out("app", std::nullopt);
    const bool in_time = co_await come_back(trip);
    if (!in_time) {
        co_return fail(kTimedOut);
    }
    if (trip.fault.ending != Fault::Ending::answer) {
        co_return fail(fault_error(trip.fault));
    }
    co_return Result<void>{};
}

} // namespace baton::sim
