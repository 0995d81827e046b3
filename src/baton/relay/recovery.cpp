#include "baton/relay/recovery.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/wire/rebuilt_webhook.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::relay {

namespace asio = boost::asio;
using domain::Whereabouts;

namespace {

/// What the webhook that nobody has any more must have said.
std::string_view
action_of(const std::optional<domain::PullRequest>& known, const ports::PullView& pull) {
    if (!pull.open) {
        return "closed";
    }
    if (!known) {
        return "opened";
    }
    return known->open ? "synchronize" : "reopened";
}

/// A line may enter the log late; what was there before the first walk is not ours.
TimePoint resume_at(const domain::Walk& last) {
    return std::max(last.until - limits::kWalkOverlap, last.born);
}

} // namespace

Recovery::Recovery(Settings settings, Surroundings around)
    : settings_(std::move(settings))
    , around_(std::move(around))
    , side_by_side_(around_.executor, [this](std::string surprise) {
        trouble(std::move(surprise));
    }) {}

void Recovery::cancel() {
    side_by_side_.cancel();
}

void Recovery::trouble(std::string detail) {
    around_.journal.note(
        ports::Trouble{.healed = true, .where = "recovery", .detail = std::move(detail)}
    );
}

asio::awaitable<Result<void>> Recovery::begin() {
    BATON_CO_TRY(const auto last, co_await around_.store.last_walk());
    if (!last) {
        const auto now = around_.clock.now();
        BATON_CO_CHECK(co_await around_.store.end_walk(now, now));
    }
    co_return Result<void>{};
}

asio::awaitable<void> Recovery::run() {
    // The door has to be open before we ask anybody to come.
    co_await around_.clock.sleep_until(around_.clock.now() + limits::kFirstWalk);
    for (;;) {
        if (!around_.leads()) { // whoever takes the lead walks soon
            co_await around_.clock.sleep_until(around_.clock.now() + limits::kFirstWalk);
            continue;
        }
        const auto report = co_await round();
        if (!report) {
            trouble(report.error().detail);
        }
        co_await around_.clock.sleep_until(around_.clock.now() + settings_.every);
    }
}

asio::awaitable<Result<Recovery::Report>> Recovery::round() {
    const auto now = around_.clock.now();
    co_await rebuild_what_the_log_forgot(now);
    BATON_CO_TRY(auto report, co_await walk(std::nullopt));
    report.rebuilt = std::exchange(rebuilt_, 0);
    around_.journal.note(report.walked);
    BATON_CO_CHECK(co_await account_for_days(now));
    co_return report;
}

asio::awaitable<Result<TimePoint>> Recovery::start_of(std::optional<TimePoint> since) {
    BATON_CO_TRY(const auto last, co_await around_.store.last_walk());
    co_return since.value_or(last ? resume_at(*last) : around_.clock.now());
}

asio::awaitable<Result<Recovery::Report>> Recovery::walk(std::optional<TimePoint> since) {
    const auto now = around_.clock.now();
    auto reading = std::exchange(unfinished_, nullptr);
    if (!reading || since) {
        BATON_CO_TRY(const auto start, co_await start_of(since));
        reading = std::make_shared<Reading>(Reading{.since = start});
    }
    reading->lines = 0;
    const auto note = [this](std::vector<domain::HookTry> tries) {
        return around_.store.note_hooks(std::move(tries));
    };
    const auto read = co_await read_log(reading, note);
    if (!read && read.error().code != Errc::invalid && read.error().code != Errc::not_found) {
        unfinished_ = reading; // a cursor that GitHub does not know any more is of no use
    }
    if (!read) {
        co_return fail(read.error());
    }
    BATON_CO_TRY(const auto last, co_await around_.store.last_walk());
    const auto until = std::max(reading->newest.value_or(TimePoint{}), last ? last->until : now);
    BATON_CO_CHECK(co_await around_.store.end_walk(until, now));
    BATON_CO_TRY(auto report, co_await ask_for_astray());
    report.walked.tries = reading->lines;
    co_return report;
}

asio::awaitable<Result<Recovery::Report>> Recovery::look(std::optional<TimePoint> since) {
    BATON_CO_TRY(auto known, co_await around_.store.hooks_astray(limits::kAskBatchMax));
    std::map<DeliveryId, domain::SentHook> hooks;
    for (auto& hook : known) {
        hooks[hook.newest.delivery] = std::move(hook);
    }
    BATON_CO_TRY(const auto start, co_await start_of(since));
    const auto reading = std::make_shared<Reading>(Reading{.since = start});
    const auto fold_in = [&hooks](std::vector<domain::HookTry> tries
                         ) -> asio::awaitable<Result<void>> {
        for (const auto& line : tries) {
            domain::fold(hooks[line.delivery], line);
        }
        co_return Result<void>{};
    };
    BATON_CO_CHECK(co_await read_log(reading, fold_in));
    Report report;
    report.walked.tries = reading->lines;
    for (auto& [id, hook] : hooks) {
        const auto body = co_await around_.store.body_of(id);
        hook.in_ledger = body.has_value();
        const auto place = domain::whereabouts_of(hook, around_.clock.now());
        if (place != Whereabouts::in_ledger && place != Whereabouts::ignored) {
            ++(place == Whereabouts::given_up ? report.walked.given_up : report.walked.astray);
            report.astray.push_back(std::move(hook));
        }
    }
    std::ranges::sort(report.astray, {}, &domain::SentHook::first_at);
    co_return report;
}

asio::awaitable<Result<void>> Recovery::read_log(std::shared_ptr<Reading> reading, Taker take) {
    for (std::size_t pages = 0; pages < limits::kHookPagesMax; ++pages) {
        BATON_CO_TRY(auto page, co_await around_.github.hook_log(reading->cursor));
        const auto all = page.tries.size();
        const auto since = reading->since;
        std::erase_if(page.tries, [&](const domain::HookTry& line) { return line.at < since; });
        const bool reached = page.tries.size() < all;
        reading->lines += page.tries.size();
        for (const auto& line : page.tries) {
            reading->newest = std::max(reading->newest.value_or(line.at), line.at);
        }
        BATON_CO_CHECK(co_await take(std::move(page.tries)));
        if (reached || page.next.empty()) {
            co_return Result<void>{};
        }
        reading->cursor = std::move(page.next);
    }
    co_return fail(
        Errc::unavailable,
        fmt::format("GitHub's delivery log goes on after {} pages", limits::kHookPagesMax)
    );
}

asio::awaitable<Result<Recovery::Report>> Recovery::ask_for_astray() {
    BATON_CO_TRY(auto astray, co_await around_.store.hooks_astray(limits::kAskBatchMax));
    const auto now = around_.clock.now();
    Report report;
    const auto pile = std::make_shared<Pile>();
    for (auto& hook : astray) {
        const auto place = domain::whereabouts_of(hook, now);
        ++(place == Whereabouts::given_up ? report.walked.given_up : report.walked.astray);
        if (place == Whereabouts::to_ask && settings_.asks) {
            pile->to_ask.push_back(hook);
        }
        report.astray.push_back(std::move(hook));
    }
    std::ranges::reverse(pile->to_ask);
    for (std::size_t i = 0; i < std::min(pile->to_ask.size(), limits::kAskedAtOnce); ++i) {
        side_by_side_.spawn(ask_from(pile));
    }
    co_await side_by_side_.join();
    report.walked.asked = pile->asked;
    co_return report;
}

asio::awaitable<void> Recovery::ask_from(std::shared_ptr<Pile> pile) {
    while (!pile->to_ask.empty()) {
        const auto hook = std::move(pile->to_ask.back());
        pile->to_ask.pop_back();
        const auto noted = co_await around_.store.note_asked(
            hook.newest.delivery, hook.asked, around_.clock.now()
        );
        if (!noted) {
            trouble(noted.error().detail);
            co_return;
        }
        if (!*noted) {
            continue; // it came meanwhile, or somebody else asked
        }
        const auto asked = co_await around_.github.ask_again(hook.newest.id);
        if (asked) {
            ++pile->asked;
            continue;
        }
        trouble(asked.error().detail);
        const auto code = asked.error().code;
        if (code == Errc::throttled) {
            static_cast<void>(co_await around_.store.note_not_asked(
                hook.newest.delivery, hook.asked + 1, around_.clock.now()
            ));
        }
        if (code != Errc::not_found) {
            pile->to_ask.clear(); // GitHub is in trouble, or tired of us: the next walk goes on
        }
    }
}

asio::awaitable<void> Recovery::rebuild_what_the_log_forgot(TimePoint now) {
    const auto last = co_await around_.store.last_walk();
    if (!last) {
        trouble(last.error().detail);
        co_return;
    }
    if (*last && settings_.asks && now - (*last)->ended_at > limits::kHookLogKept) {
        for (const auto& upstream : settings_.upstreams) {
            to_rebuild_.try_emplace(upstream, (*last)->until);
        }
    }
    // One upstream that cannot be asked keeps neither the others nor the log from being read.
    const auto wanted = to_rebuild_;
    for (const auto& [upstream, since] : wanted) {
        const auto made = co_await rebuild(upstream, since);
        if (made) {
            rebuilt_ += *made;
            to_rebuild_.erase(upstream);
        } else {
            trouble(made.error().detail);
        }
    }
}

asio::awaitable<Result<std::size_t>> Recovery::rebuild(RepoName upstream, TimePoint since) {
    std::size_t made = 0;
    std::set<PrNumber> open;
    bool more = true;
    for (int page = 1; more && page <= limits::kPullPagesMax; ++page) {
        ports::PullsQuery query{.repo = upstream, .page = page};
        BATON_CO_TRY(auto pulls, co_await around_.github.open_pulls(std::move(query)));
        more = pulls.more;
        for (auto& pull : pulls.pulls) {
            open.insert(pull.number);
            BATON_CO_TRY(const bool news, co_await rebuild_one(upstream, std::move(pull), since));
            made += news ? 1 : 0;
        }
    }
    BATON_CO_TRY(const auto thought_open, co_await around_.store.open_pull_requests(upstream));
    for (const auto number : thought_open) {
        if (open.contains(number)) {
            continue;
        }
        auto pull = co_await around_.github.pull(upstream, number);
        if (!pull && pull.error().code == Errc::not_found) {
            continue; // deleted: nothing can be told about it
        }
        if (!pull) {
            co_return fail(pull.error());
        }
        BATON_CO_TRY(const bool news, co_await rebuild_one(upstream, *std::move(pull), since));
        made += news ? 1 : 0;
    }
    co_return made;
}

asio::awaitable<Result<bool>>
Recovery::rebuild_one(RepoName upstream, ports::PullView pull, TimePoint since) {
    ports::PullRequestQuery query{.upstream = upstream, .number = pull.number};
    BATON_CO_TRY(const auto known, co_await around_.store.pull_request(std::move(query)));
    const bool unchanged = known && known->open == pull.open && known->head == pull.head;
    if (unchanged || pull.updated_at < since) {
        co_return false; // known, or from before our time
    }
    const auto action = action_of(known, pull);
    BATON_CO_TRY(auto body, wire::rebuilt_webhook(action, pull.json));
    ports::NewDelivery delivery{
        .id = DeliveryId(fmt::format(
            "{}{}-{}-{}-{}",
            domain::kRebuiltPrefix,
            static_cast<std::int64_t>(pull.number),
            action,
            pull.head.text(),
            to_ms(pull.updated_at)
        )),
        .event = "pull_request",
        .action = std::string(action),
        .repository = upstream.text(),
        .pr = pull.number,
        .head = pull.head,
        .received_at = around_.clock.now(),
        .body = std::move(body),
    };
    BATON_CO_TRY(const bool inserted, co_await around_.store.insert_delivery(std::move(delivery)));
    if (inserted) {
        around_.on_rebuilt();
    }
    co_return inserted;
}

asio::awaitable<Result<void>> Recovery::account_for_days(TimePoint now) {
    const auto today = domain::start_of_day(now);
    if (accounted_ == today || now < today + limits::kWalkOverlap) {
        co_return Result<void>{}; // the day's last lines may not be in the log yet
    }
    BATON_CO_TRY(const auto walk, co_await around_.store.last_walk());
    const auto born = walk ? domain::start_of_day(walk->born) : today;
    for (auto from = std::max(born, today - limits::kDaysAccounted); from < today;
         from += std::chrono::days{1}) {
        BATON_CO_TRY(
            const auto day, co_await around_.store.completeness(from, from + std::chrono::days{1})
        );
        BATON_CO_TRY(const auto first, co_await around_.store.record_completeness(day, now));
        if (first) {
            around_.journal.note(ports::DayCompleted{.day = day});
        }
    }
    accounted_ = today;
    co_return Result<void>{};
}

} // namespace baton::relay
