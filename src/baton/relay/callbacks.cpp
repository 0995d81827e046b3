#include "baton/relay/callbacks.hpp"

#include "baton/base/forms.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/crypto/callback_token.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/results.hpp"
#include "baton/relay/admission.hpp"
#include "baton/relay/callback_refusal.hpp"
#include "baton/wire/callback.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

bool is_self_report(const wire::Callback& callback) {
    return callback.callback_token.empty() &&
           (callback.event_type == "nightly" || callback.event_type == "periodic");
}

bool is_commit(std::string_view text) {
    return text.size() == 40 && is_hex(text);
}

/// Only GitHub's tokens name the run; of others nothing can be compared.
bool is_run_proven(const domain::Caller& caller, const domain::JobKey& key) {
    return caller.provider != domain::Provider::github_actions ||
           (caller.run_id == key.run_id && caller.run_attempt == key.attempt);
}

std::string contradiction_of(const domain::Job& job) {
    if (!job.conclusion) {
        return "this job reported with its callback_token before; echo it again";
    }
    return fmt::format(
        "this attempt of the job was already concluded as {}; report another attempt",
        name_of(*job.conclusion)
    );
}

std::string_view sentence_for(crypto::TokenVerdict verdict) {
    switch (verdict) {
    case crypto::TokenVerdict::expired:
        return "the callback_token is older than 30 days; have the event dispatched again";
    case crypto::TokenVerdict::unknown_key:
        return "the callback_token was signed with a key that this relay does not have";
    case crypto::TokenVerdict::malformed:
    case crypto::TokenVerdict::mismatch:
    case crypto::TokenVerdict::good:
        break;
    }
    return "the callback_token does not belong to this delivery and repository; echo the "
           "client_payload as it was dispatched";
}

} // namespace

Callbacks::Callbacks(Settings settings, Surroundings around)
    : settings_(std::move(settings))
    , around_(std::move(around))
    , admission_(
          {.upstreams = settings_.upstreams, .per_minute = settings_.per_minute},
          {.store = around_.store, .clock = around_.clock, .book = around_.book}
      ) {}

asio::awaitable<CallbackOutcome> Callbacks::accept(domain::Caller caller, std::string body) {
    const auto level = co_await admission_.admit(caller);
    if (!level) {
        co_return tl::unexpected(level.error());
    }
    if (*level == domain::Level::l1) {
        co_return co_await rehearse(std::move(caller), std::move(body));
    }
    auto callback = wire::parse_callback(body);
    if (!callback) {
        co_return refuse(callback.error().code, "unusable body", callback.error().detail);
    }
    const auto delivery = callback->delivery;
    auto work = is_self_report(*callback) ? about_itself(caller, *std::move(callback))
                                          : about_dispatch(caller, *std::move(callback));
    auto commit = co_await std::move(work);
    if (!commit) {
        commit.error().delivery = delivery;
        co_return tl::unexpected(std::move(commit).error());
    }
    if (commit->level == domain::Level::l1) { // of this upstream, though not of every
        if (commit->subject.dispatch) {
            co_await note_rehearsal(*commit->subject.dispatch, commit->report.status);
        }
        co_return CallbackReceipt{.ignored = true};
    }
    for (const auto& sink : settings_.sinks) {
        commit->letters.push_back({.sink = sink, .body = wire::without_callback_token(body)});
    }
    CallbackReceipt taken{
        .status = commit->report.status,
        .bound = commit->bound,
        .delivery = delivery,
        .key = commit->report.key,
        .notes = commit->report.detail.notes,
    };
    const auto receipt = co_await around_.store.record_report(*std::move(commit));
    if (!receipt) {
        co_return store_trouble(receipt.error());
    }
    if (receipt->weighed.effect == domain::Weighed::Effect::contradiction) {
        auto refusal = refuse(Errc::conflict, "contradiction", contradiction_of(receipt->job));
        refusal.value().delivery = delivery;
        co_return refusal;
    }
    if (receipt->weighed.effect == domain::Weighed::Effect::recorded) {
        around_.on_recorded();
    }
    taken.weighed = receipt->weighed;
    co_return taken;
}

/// Checked as at level 2, so that a downstream can show that it knows how before anybody looks.
asio::awaitable<CallbackOutcome> Callbacks::rehearse(domain::Caller caller, std::string body) {
    CallbackReceipt receipt{.ignored = true};
    if (!around_.on_rehearsed) {
        co_return receipt;
    }
    if (auto turn = admission_.take_turn(caller.repo); !turn) {
        receipt.rehearsed = std::move(turn).error();
        co_return receipt;
    }
    const auto callback = wire::parse_callback(body);
    if (!callback) {
        receipt.rehearsed =
            refuse(callback.error().code, "unusable body", callback.error().detail).value();
        co_return receipt;
    }
    if (is_self_report(*callback)) {
        co_return receipt;
    }
    auto binding = co_await bind(caller.repo, callback->delivery, callback->callback_token);
    if (binding) {
        co_await note_rehearsal(binding->dispatch.id, callback->report.status);
    } else if (binding.error().code != Errc::unavailable) {
        receipt.rehearsed = std::move(binding).error();
        receipt.rehearsed->delivery = callback->delivery;
    }
    co_return receipt;
}

/// A store in trouble forgets one of many; its sender is told the same.
asio::awaitable<void> Callbacks::note_rehearsal(DispatchId dispatch, domain::JobStatus status) {
    if (around_.on_rehearsed) {
        const ports::NewRehearsal told{
            .dispatch = dispatch,
            .ended = status == domain::JobStatus::completed,
            .at = around_.clock.now(),
        };
        std::ignore = co_await around_.on_rehearsed(told);
    }
}

/// The generation that the token was signed for; without a token the newest.
Callbacks::Awaitable<Callbacks::Binding>
Callbacks::bind(RepoName downstream, DeliveryId delivery, std::string token) {
    auto dispatches = co_await around_.store.dispatches_to(delivery, downstream);
    if (!dispatches) {
        co_return store_trouble(dispatches.error());
    }
    if (dispatches->empty()) {
        co_return refuse(
            Errc::invalid,
            "no dispatch",
            fmt::format(
                "no matching dispatch record: delivery {} was never dispatched to {}, or longer "
                "ago "
                "than results are kept; echo the delivery_id of the client_payload",
                delivery.text(),
                downstream.text()
            )
        );
    }
    if (token.empty()) { // the newest that went out: one that still waits cannot have run
        auto out =
            std::ranges::find_if(*dispatches, [](const auto& one) { return one.attempts > 0; });
        auto& meant = out == dispatches->end() ? dispatches->front() : *out;
        co_return Binding{.dispatch = std::move(meant), .bound = false};
    }
    auto best = crypto::TokenVerdict::mismatch;
    for (auto& dispatch : *dispatches) {
        const auto verdict = around_.mint.check(token, dispatch);
        if (verdict == crypto::TokenVerdict::good) {
            co_return Binding{.dispatch = std::move(dispatch), .bound = true};
        }
        best = verdict == crypto::TokenVerdict::mismatch ? best : verdict;
    }
    co_return refuse(Errc::forbidden, "callback token", std::string(sentence_for(best)));
}

Callbacks::Awaitable<ports::ReportCommit>
Callbacks::about_dispatch(domain::Caller caller, wire::Callback callback) {
    auto binding = co_await bind(caller.repo, callback.delivery, callback.callback_token);
    if (!binding) {
        co_return tl::unexpected(std::move(binding).error());
    }
    auto& dispatch = binding->dispatch;
    auto listing = admission_.listing_of(dispatch.upstream, caller.repo);
    if (!listing) {
        co_return tl::unexpected(std::move(listing).error());
    }
    const bool proven = is_run_proven(caller, callback.report.key);
    const bool reaches_a_check = binding->bound && listing->level >= domain::Level::l3;
    if (reaches_a_check && !proven) {
        co_return refuse(
            Errc::forbidden,
            "other run",
            fmt::format(
                "the token was made for attempt {} of run {}, and the body reports attempt {} of "
                "run {}; each job reports with its own token",
                caller.run_attempt,
                caller.run_id,
                callback.report.key.attempt,
                callback.report.key.run_id
            )
        );
    }
    co_return ports::ReportCommit{
        .subject =
            {.dispatch = dispatch.id,
             .downstream = dispatch.key.downstream,
             .upstream = dispatch.upstream,
             .event_type = dispatch.event_type,
             .pr = dispatch.pr,
             .head = dispatch.head},
        .report = std::move(callback.report),
        .level = listing->level,
        .device = std::move(listing->device),
        .bound = binding->bound,
        .run_proven = proven,
        .now = around_.clock.now(),
    };
}

Callbacks::Awaitable<ports::ReportCommit>
Callbacks::about_itself(domain::Caller caller, wire::Callback callback) {
    if (!is_commit(callback.delivery.text())) {
        auto known = co_await around_.store.dispatches_to(callback.delivery, caller.repo);
        if (!known) {
            co_return store_trouble(known.error());
        }
        if (!known->empty()) { // a nightly of ours whose token got lost on the way
            co_return co_await about_dispatch(std::move(caller), std::move(callback));
        }
        co_return refuse(
            Errc::invalid,
            "not a commit",
            "/delivery_id: expected the 40 hex digits of the upstream commit that was tested"
        );
    }
    if (callback.report.status != domain::JobStatus::completed) {
        co_return refuse(
            Errc::invalid,
            "self-report in progress",
            fmt::format(
                "/workflow/status: expected completed: a {} run is reported once, at its end",
                callback.event_type
            )
        );
    }
    const auto named = RepoName::parse(callback.upstream);
    const auto upstream =
        named ? std::ranges::find(settings_.upstreams, *named) : settings_.upstreams.end();
    if (upstream == settings_.upstreams.end()) {
        co_return refuse(
            Errc::invalid,
            "unknown upstream",
            "/payload/repository/full_name: expected an upstream of this relay"
        );
    }
    auto listing = admission_.listing_of(*upstream, caller.repo);
    if (!listing) {
        co_return tl::unexpected(std::move(listing).error());
    }
    const HeadSha head(lower(callback.delivery.text()));
    const bool proven = is_run_proven(caller, callback.report.key);
    const auto commit = co_await check_commit(*upstream, head);
    if (!commit) {
        co_return tl::unexpected(commit.error());
    }
    co_return ports::ReportCommit{
        .subject =
            {.downstream = caller.repo,
             .upstream = *upstream,
             .event_type = std::move(callback.event_type),
             .head = head},
        .report = std::move(callback.report),
        .level = listing->level,
        .device = std::move(listing->device),
        .run_proven = proven,
        .commit = *commit,
        .now = around_.clock.now(),
    };
}

Callbacks::Awaitable<domain::CommitCheck>
Callbacks::check_commit(RepoName upstream, HeadSha commit) {
    const auto known = co_await around_.commits.has(upstream, commit);
    if (!known) {
        co_return domain::CommitCheck::unverified;
    }
    if (!*known) {
        co_return refuse(
            Errc::not_found,
            "unknown commit",
            fmt::format("{} has no commit {}", upstream.text(), commit.text())
        );
    }
    co_return domain::CommitCheck::known;
}

} // namespace baton::relay
