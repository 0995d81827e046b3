#include "baton/relay/reconciler.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/checks.hpp"
#include "baton/domain/plan_looks.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/journal.hpp"
#include "baton/relay/check_reader.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

constexpr std::string_view kComment = "comment";
constexpr std::chrono::seconds kLookAgain{30}; // at what could not be read

ports::Posting comment_of(const domain::Subject& subject, std::string text) {
    ports::Posting posting{
        .subject = {.upstream = subject.upstream, .pr = subject.pr, .head = {}},
        .kind = ports::PostingKind::comment,
        .check = {},
        .text = std::move(text),
    };
    posting.check.name = kComment;
    return posting;
}

} // namespace

Reconciler::Reconciler(std::map<RepoName, domain::CheckRules> rules, Surroundings around)
    : rules_(std::move(rules))
    , around_(std::move(around))
    , bell_(around_.clock.make_bell())
    , side_by_side_(around_.executor, [this](std::string surprise) {
        trouble(std::move(surprise));
    }) {}

void Reconciler::wake() {
    bell_->ring();
}

void Reconciler::cancel() {
    side_by_side_.cancel();
}

void Reconciler::trouble(std::string detail) {
    around_.journal.note(
        ports::Trouble{.healed = true, .where = "reconciler", .detail = std::move(detail)}
    );
}

asio::awaitable<void> Reconciler::run() {
    for (;;) {
        const auto again = co_await look_again_where_lists_changed();
        if (!again) {
            trouble(again.error().detail);
        }
        const bool more = co_await look_at_due();
        if (!more) {
            co_await bell_->wait_until(around_.clock.now() + limits::kPollTime);
        }
    }
}

/// Levels decide what is shown, so another list is a reason to look at everything open. The first
/// one after a start too: it may have changed while no relay ran.
asio::awaitable<Result<void>> Reconciler::look_again_where_lists_changed() {
    for (const auto& [upstream, rules] : rules_) {
        auto list = around_.book.find(upstream);
        if (!list || list == seen_lists_[upstream]) {
            continue;
        }
        ports::LookAgain again{
            .upstream = upstream,
            .downstream = std::nullopt,
            .all_open =
                rules.gate_always || std::ranges::any_of(list->downstreams(), domain::shows_checks),
            .now = around_.clock.now(),
        };
        BATON_CO_TRY(const auto marked, co_await around_.store.look_again(std::move(again)));
        static_cast<void>(marked);
        seen_lists_[upstream] = std::move(list);
    }
    co_return Result<void>{};
}

asio::awaitable<bool> Reconciler::look_at_due() {
    auto due = co_await around_.store.looks(around_.clock.now(), kAtOnce);
    if (!due) {
        trouble(due.error().detail);
        co_return false;
    }
    const bool full = due->size() == kAtOnce;
    settled_ = 0;
    for (auto& look : *due) {
        side_by_side_.spawn(look_at(std::move(look)));
    }
    co_await side_by_side_.join();
    co_return full&& settled_ > 0; // with nothing settled the same ones would come again at once
}

asio::awaitable<void> Reconciler::look_at(ports::Look look) {
    const auto what =
        fmt::format("{} at {}", look.subject.upstream.text(), look.subject.head.text());
    auto commit = co_await decide(look);
    if (!commit) {
        trouble(fmt::format("{}: {}", what, commit.error().detail));
        const auto now = around_.clock.now();
        commit = ports::PostingCommit{
            .look = std::move(look), .look_at = now + kLookAgain, .now = now
        }; // others go first
    }
    const auto receipt = co_await around_.store.commit_postings(*std::move(commit));
    if (!receipt) {
        trouble(fmt::format("{}: {}", what, receipt.error().detail));
        co_return;
    }
    ++settled_;
    if (receipt->changed > 0 || receipt->ordered > 0) {
        around_.on_wanted();
    }
}

asio::awaitable<Result<ports::PostingCommit>> Reconciler::decide(ports::Look look) {
    ports::PostingCommit commit{.look = look, .now = around_.clock.now()};
    const auto rules = rules_.find(look.subject.upstream);
    if (rules == rules_.end()) {
        co_return commit; // an upstream that left the configuration
    }
    auto allowlist = around_.book.find(look.subject.upstream);
    if (!allowlist) {
        commit.look_at = commit.now + limits::kPlanAgain; // nobody knows yet who is listed
        co_return commit;
    }
    CheckReader reader(around_.store);
    BATON_CO_TRY(const auto facts, co_await reader.read(look, std::move(allowlist)));
    auto wanted = domain::checks_wanted(facts, rules->second, commit.now);
    for (auto& check : wanted.checks) {
        commit.wanted.push_back({
            .subject = look.subject,
            .kind = ports::PostingKind::check,
            .check = std::move(check),
            .text = {},
        });
    }
    if (!wanted.comment.empty()) {
        commit.wanted.push_back(comment_of(look.subject, std::move(wanted.comment)));
    }
    commit.reruns = std::move(wanted.reruns);
    commit.look_at = wanted.look_at;
    co_return commit;
}

} // namespace baton::relay
