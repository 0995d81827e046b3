#include "baton/sim/in_process_github.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/quota.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/chance.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/github_json.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/hook_log.hpp"
#include "baton/sim/post.hpp"

#include <boost/json/serialize.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
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

constexpr std::string_view kTimedOut = "GitHub did not answer in time";

Errc code_of(const Answer& answer) {
    switch (answer.outcome) {
    case Outcome::unauthenticated:
        return Errc::unauthenticated;
    case Outcome::throttled:
        return Errc::throttled;
    case Outcome::refused:
    case Outcome::too_large:
        return answer.status == 404 ? Errc::not_found : Errc::forbidden;
    case Outcome::accepted:
    case Outcome::not_sent:
    case Outcome::unknown:
    case Outcome::withheld:
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

Answer held(TimePoint until) {
    return {
        .outcome = Outcome::throttled,
        .detail = "not sent: GitHub's limit lasts",
        .not_before = until,
    };
}

bool changes(std::string_view route) {
    constexpr std::array<std::string_view, 6> kChanging{
        "dispatches", "create_check", "update_check", "create_comment", "update_comment", "rerun"
    };
    return std::ranges::find(kChanging, route) != kChanging.end();
}

constexpr std::size_t kLogPage = 100;
constexpr std::size_t kPullPage = 100;

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

tl::unexpected<Error> InProcessGithub::error_of(const Answer& answer) {
    const bool said_no = answer.status >= 400 && answer.status < 500;
    const auto code = said_no || answer.outcome == Outcome::throttled
                          ? code_of(answer)
                          : (answer.detail == kTimedOut ? Errc::timed_out : Errc::unavailable);
    return fail(code, answer.detail);
}

asio::awaitable<InProcessGithub::Trip>
InProcessGithub::set_out(std::string route, std::optional<RepoName> repo) {
    const auto account = repo ? domain::account_of(*repo) : std::string{};
    auto& quota = quotas_.of(account);
    if (const auto until = quota.held_until(clock_.now())) {
        co_return Trip{.account = account, .held_until = until};
    }
    const auto announced = announced_.find(account);
    if (announced != announced_.end() && clock_.now() < announced->second) {
        ++requests_while_limited_;
    }
    ++requests_[route];
    quota.began(
        changes(route) ? domain::RequestWeight::changes : domain::RequestWeight::reads, clock_.now()
    );
    const auto span =
        static_cast<std::uint64_t>((options_.latency_max - options_.latency_min).count());
    const Millis latency = options_.latency_min + Millis(chance_.draw().below(span + 1));
    Trip trip{
        .fault = faults_.decide(route, repo),
        .account = account,
        .give_up_at = clock_.now() + options_.call_wait,
        .way_back = latency - latency / 2,
    };
    const auto there = clock_.now() + latency / 2;
    co_await clock_.sleep_until(there);
    if (repo && trip.fault.ending == Fault::Ending::answer) {
        trip.news = spend(*repo);
    }
    co_return trip;
}

domain::QuotaNews InProcessGithub::spend(const RepoName& name) {
    const auto* const repo = reach(name);
    if (repo == nullptr || !repo->installed) {
        return {.answered = true};
    }
    auto& limit = model_.rate_limit(model_.installation_of(*repo), clock_.now());
    domain::QuotaNews news{.answered = true, .limit = limit.limit, .reset_at = limit.reset_at};
    if (limit.remaining() == 0) {
        news.held_until = limit.reset_at;
    } else {
        ++limit.used;
    }
    news.remaining = limit.remaining();
    return news;
}

asio::awaitable<std::optional<Answer>> InProcessGithub::come_back(Trip trip) {
    if (trip.held_until) {
        co_return held(*trip.held_until);
    }
    const auto back = clock_.now() + trip.way_back + trip.fault.delay;
    const bool in_time = trip.fault.ending != Fault::Ending::drop && back < trip.give_up_at;
    const auto until = in_time ? back : trip.give_up_at;
    co_await clock_.sleep_until(until);
    std::optional<Answer> heard;
    if (!in_time) {
        heard = Answer{.outcome = Outcome::unknown, .detail = std::string(kTimedOut)};
    } else if (trip.fault.ending != Fault::Ending::answer) {
        heard = fault_answer(trip.fault, clock_.now());
    } else if (trip.news.held_until) {
        ++limit_answers_;
        heard = answer_of(403, "API rate limit exceeded");
        heard->not_before = trip.news.held_until;
    }
    learn(trip, heard);
    co_return heard;
}

void InProcessGithub::learn(const Trip& trip, const std::optional<Answer>& heard) {
    const bool silence = heard && heard->status == 0;
    domain::QuotaNews news = silence ? domain::QuotaNews{} : trip.news;
    news.answered = !silence;
    if (heard && heard->outcome == Outcome::throttled) {
        news.held_until = heard->not_before;
        auto& announced = announced_[trip.account];
        announced = std::max(announced, heard->not_before.value_or(TimePoint{}));
    }
    quotas_.of(trip.account).ended(news, clock_.now());
}

asio::awaitable<Answer> InProcessGithub::dispatch(ports::DispatchCall call) {
    const auto trip = co_await set_out("dispatches", call.downstream);
    Answer truth;
    if (trip.has_effect()) {
        truth = perform(call);
    }
    auto heard = co_await come_back(trip);
    co_return heard ? *std::move(heard) : truth;
}

Answer InProcessGithub::perform(const ports::DispatchCall& call) {
    const auto* const repo = reach(call.downstream);
    if (repo == nullptr || !repo->installed) {
        return answer_of(404, "Not Found");
    }
    const auto reply = model_.dispatch(repo->id, call.body, clock_.now());
    return answer_of(reply.status, reply.message);
}

ports::Posted InProcessGithub::posted(const PostReply& truth, std::optional<Answer> heard) {
    if (heard) {
        return {.answer = *std::move(heard)};
    }
    return {.answer = answer_of(truth.status, truth.message), .id = truth.good() ? truth.id : 0};
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
    const auto heard = co_await come_back(trip);
    if (heard) {
        co_return error_of(*heard);
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
    const auto heard = co_await come_back(trip);
    if (heard) {
        co_return error_of(*heard);
    }
    co_return may;
}

asio::awaitable<Result<ports::HookPage>> InProcessGithub::hook_log(std::string cursor) {
    const auto trip = co_await set_out("deliveries", std::nullopt);
    HookPageQuery query{.now = clock_.now(), .limit = kLogPage + 1};
    if (!cursor.empty()) {
        query.before = std::stoll(cursor);
    }
    ports::HookPage page;
    for (const auto& line : model_.hooks().page(query)) {
        if (page.tries.size() == kLogPage) {
            page.next = fmt::to_string(page.tries.back().id);
            break;
        }
        page.tries.push_back({
            .id = line.id,
            .delivery = line.webhook->id,
            .event = line.webhook->event,
            .action = line.webhook->action,
            .at = line.at,
            .status = line.status_code,
            .redelivery = line.redelivery,
        });
    }
    const auto heard = co_await come_back(trip);
    if (heard) {
        co_return error_of(*heard);
    }
    co_return page;
}

asio::awaitable<Result<void>> InProcessGithub::ask_again(std::int64_t try_id) {
    const auto trip = co_await set_out("redeliver", std::nullopt);
    Result<void> truth;
    if (trip.has_effect()) {
        truth = model_.redeliver(try_id, clock_.now());
    }
    const auto heard = co_await come_back(trip);
    if (heard) {
        co_return error_of(*heard);
    }
    co_return truth;
}

ports::PullView InProcessGithub::view_of(const Repo& repo, const Pull& pull) const {
    const auto* const head = model_.repo(pull.head_repo);
    const auto* const author = model_.find_account(pull.author);
    const PullScene scene{
        .pull = pull, .base = repo, .head = head == nullptr ? repo : *head, .author = *author
    };
    return {
        .number = pull.number,
        .head = pull.head,
        .open = pull.open,
        .updated_at = pull.updated_at,
        .json = boost::json::serialize(pull_json(model_.options().site, scene)),
    };
}

asio::awaitable<Result<ports::PullsPage>> InProcessGithub::open_pulls(ports::PullsQuery query) {
    const auto trip = co_await set_out("pulls", query.repo);
    ports::PullsPage page;
    const auto* const repo = reach(query.repo);
    std::size_t skip = kPullPage * static_cast<std::size_t>(query.page - 1);
    for (const auto& [number, pull] : repo == nullptr ? decltype(repo->pulls){} : repo->pulls) {
        if (!pull.open || (skip > 0 && skip-- > 0)) {
            continue;
        }
        if (page.pulls.size() == kPullPage) {
            page.more = true;
            break;
        }
        page.pulls.push_back(view_of(*repo, pull));
    }
    const auto heard = co_await come_back(trip);
    if (heard) {
        co_return error_of(*heard);
    }
    co_return page;
}

asio::awaitable<Result<ports::PullView>> InProcessGithub::pull(RepoName name, PrNumber number) {
    const auto trip = co_await set_out("pull", name);
    const auto* const repo = reach(name);
    const auto* const found = repo == nullptr ? nullptr : model_.pull(repo->name, number);
    Result<ports::PullView> truth = fail(Errc::not_found, "Not Found");
    if (found != nullptr) {
        truth = view_of(*repo, *found);
    }
    const auto heard = co_await come_back(trip);
    if (heard) {
        co_return error_of(*heard);
    }
    co_return truth;
}

} // namespace baton::sim
