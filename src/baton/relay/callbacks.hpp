#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/admission.hpp"
#include "baton/relay/allowlist_book.hpp"
#include "baton/relay/callback_refusal.hpp"
#include "baton/relay/commit_book.hpp"
#include "baton/relay/token_mint.hpp"
#include "baton/wire/callback.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace baton::relay {

/// What became of a report that was not refused.
struct CallbackReceipt {
    bool ignored{false};                        // level 1: nothing of it is kept but that it came
    std::optional<CallbackRefusal> rehearsed{}; // of an ignored one: why level 2 would refuse it
    domain::JobStatus status{domain::JobStatus::in_progress};
    domain::Weighed weighed;
    bool bound{false};
    DeliveryId delivery;
    domain::JobKey key;
    std::vector<std::string> notes; // what was cut or dropped of the body
};

using CallbackOutcome = tl::expected<CallbackReceipt, CallbackRefusal>;

/// Takes results in from callers whose token was verified. What a report is about comes from our
/// ledger, never from its body; a receipt means that it is on disk. Any thread.
class Callbacks {
public:
    struct Settings {
        std::vector<RepoName> upstreams;
        std::vector<std::string> sinks; // who is told of each result, by name
        int per_minute{0};              // of one downstream
    };

    struct Surroundings {
        ports::Store& store;
        ports::Clock& clock;
        const AllowlistBook& book;
        const TokenMint& mint;
        CommitBook& commits;
        std::function<void()> on_recorded{[] {}}; // wakes who follows results; any thread
        ports::RehearsalKeeper on_rehearsed{};    // keeps what is reported at level 1; none: nobody
    };

    Callbacks(Settings settings, Surroundings around);

    boost::asio::awaitable<CallbackOutcome> accept(domain::Caller caller, std::string body);

private:
    template <class T> using Awaitable = boost::asio::awaitable<tl::expected<T, CallbackRefusal>>;

    /// A dispatch, and whether the report showed the token that was signed for it.
    struct Binding {
        domain::Dispatch dispatch;
        bool bound{false};
    };

    boost::asio::awaitable<CallbackOutcome> rehearse(domain::Caller caller, std::string body);
    boost::asio::awaitable<void> note_rehearsal(DispatchId dispatch, domain::JobStatus status);
    Awaitable<Binding> bind(RepoName downstream, DeliveryId delivery, std::string token);
    Awaitable<ports::ReportCommit> about_dispatch(domain::Caller caller, wire::Callback callback);
    Awaitable<ports::ReportCommit> about_itself(domain::Caller caller, wire::Callback callback);
    Awaitable<domain::CommitCheck> check_commit(RepoName upstream, HeadSha commit);

    Settings settings_;
    Surroundings around_;
    Admission admission_;
};

} // namespace baton::relay
