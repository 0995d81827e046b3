#include "baton/relay/proposer.hpp"

#include "baton/async/deadline.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/letter.hpp"
#include "baton/domain/notification.hpp"
#include "baton/ports/github_writing.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/sink.hpp"
#include "baton/relay/letter_end.hpp"
#include "baton/wire/allowlist.hpp"
#include "baton/wire/allowlist_patch.hpp"
#include "baton/wire/ladder_json.hpp"
#include "baton/wire/notice.hpp"
#include "baton/wire/proposal.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kMovesMost = 50;
constexpr std::size_t kEvaluationsMost = 400; // days shorter than a day have many of them

/// Its line in the ledger; nullptr: something that came after it took it back.
const ports::KeptTransition*
line_of(const std::vector<ports::KeptTransition>& newest_first, TimePoint at) {
    using domain::LadderMove;
    for (const auto& line : newest_first) {
        const auto move = line.transition.move;
        if (move == LadderMove::proposed) {
            return line.at == at ? &line : nullptr;
        }
        if (move == LadderMove::withdrawn || move == LadderMove::relisted) {
            return nullptr;
        }
    }
    return nullptr;
}

bool is_open(std::string_view list, const RepoName& downstream) {
    const auto reading = wire::read_allowlist(list);
    if (!reading.allowlist) {
        return false;
    }
    const auto* const found = reading.allowlist->find(downstream);
    return found != nullptr && found->visibility == domain::Visibility::open;
}

} // namespace

Proposer::Proposer(Settings settings, Surroundings around)
    : settings_(std::move(settings))
    , around_(around) {}

asio::awaitable<domain::SinkAnswer> Proposer::deliver(ports::TakenLetter letter) {
    const auto& about = letter.job.subject;
    const auto notice = wire::read_notice(letter.body);
    const bool proposes = notice && notice->kind == domain::NotificationKind::proposed;
    if (!proposes || !settings_.lists.contains(about.upstream)) {
        co_return told("nothing to propose here");
    }
    auto work = propose(about.upstream, about.downstream, letter.created_at);
    auto time_up = around_.clock.sleep_until(around_.clock.now() + ports::kSinkWait);
    const auto done = co_await async::with_deadline(std::move(work), std::move(time_up));
    if (!done) { // what was made is found the next time
        co_return answer_to({.code = Errc::timed_out, .detail = "GitHub took too long"});
    }
    co_return *done ? told(**done) : answer_to(done->error());
}

asio::awaitable<Result<std::optional<wire::ProposalFacts>>>
Proposer::facts_of(RepoName upstream, RepoName downstream, TimePoint at) {
    ports::TransitionQuery query{
        .upstream = upstream,
        .downstream = downstream,
        .before = std::nullopt,
        .limit = kMovesMost,
    };
    BATON_CO_TRY(const auto moves, co_await around_.levels.transitions(std::move(query)));
    const auto* const line = line_of(moves, at);
    if (line == nullptr) {
        co_return std::nullopt;
    }
    BATON_CO_TRY(
        const auto evaluations,
        co_await around_.levels.evaluations(upstream, downstream, kEvaluationsMost)
    );
    const auto found = std::ranges::find(evaluations, line->as_of, &ports::KeptEvaluation::as_of);
    if (found == evaluations.end()) {
        co_return fail(
            Errc::not_found,
            fmt::format("the evaluation as of {} is not kept any more", to_rfc3339(line->as_of))
        );
    }
    BATON_CO_TRY(auto verdict, wire::read_verdict(found->verdict));
    auto& proposal = verdict.standing.proposal;
    if (!proposal) {
        co_return std::nullopt;
    }
    const bool lower = proposal->to < proposal->from;
    co_return wire::ProposalFacts{
        .move = line->id,
        .upstream = upstream,
        .downstream = downstream,
        .proposal = *std::move(proposal),
        .at = line->at,
        .as_of = line->as_of,
        .profile = found->profile,
        .digest = found->digest,
        .criteria = lower ? std::move(verdict.demotion) : std::move(verdict.next),
        .public_url = settings_.page,
    };
}

asio::awaitable<Result<std::string>>
Proposer::propose(RepoName upstream, RepoName downstream, TimePoint at) {
    BATON_CO_TRY(auto facts, co_await facts_of(upstream, downstream, at));
    if (!facts) {
        co_return std::string("it does not hold any more");
    }
    const auto list = settings_.lists.at(upstream);
    const auto move = facts->move;
    ports::PullFrom query{.repo = list.repo, .branch = wire::proposal_branch(*facts)};
    BATON_CO_TRY(auto pull, co_await around_.writing.find_pull(std::move(query)));
    if (!pull) {
        auto* const known = &*facts;
        BATON_CO_TRY(const bool changed, co_await commit(known, list));
        if (!changed) {
            co_return std::string("the list says so already");
        }
        BATON_CO_TRY(pull, co_await open(*std::move(facts), list));
    }
    ports::ProposalPull noted{
        .move = move,
        .repo = list.repo,
        .number = pull->number,
        .url = pull->url,
        .at = around_.clock.now(),
    };
    BATON_CO_CHECK(co_await around_.levels.note_pull(std::move(noted)));
    co_return pull->url;
}

asio::awaitable<Result<bool>>
Proposer::commit(wire::ProposalFacts* facts, domain::WatchedFile list) {
    const auto to = facts->proposal.to;
    const auto branch = wire::proposal_branch(*facts);
    ports::BlobQuery listed{.repo = list.repo, .path = list.path, .branch = list.ref};
    BATON_CO_TRY(const auto in_force, co_await around_.writing.read_blob(std::move(listed)));
    facts->figures_shown = is_open(in_force.text, facts->downstream);
    // Before anything is made: who cannot be moved without a person needs no branch.
    const auto possible = wire::patch_level(in_force.text, facts->downstream, to, list.path);
    if (!possible) {
        if (possible.error().code == Errc::conflict) {
            co_return false;
        }
        co_return fail(possible.error());
    }
    BATON_CO_TRY(const auto head, co_await around_.github.head_of(list.repo, list.ref));
    ports::NewBranch made{.repo = list.repo, .name = branch, .at = head};
    BATON_CO_CHECK(co_await around_.writing.make_branch(std::move(made)));
    ports::BlobQuery ours{.repo = list.repo, .path = list.path, .branch = branch};
    BATON_CO_TRY(auto known, co_await around_.writing.read_blob(std::move(ours)));
    const auto patch = wire::patch_level(known.text, facts->downstream, to, list.path);
    if (!patch && patch.error().code == Errc::conflict) { // an earlier try got so far
        co_return true;
    }
    if (!patch) {
        co_return fail(patch.error());
    }
    ports::NewBlob blob{
        .repo = list.repo,
        .path = list.path,
        .branch = branch,
        .text = patch->text,
        .replaces = std::move(known.sha),
        .message = wire::proposal_title(*facts),
    };
    BATON_CO_CHECK(co_await around_.writing.write_blob(std::move(blob)));
    co_return true;
}

asio::awaitable<Result<ports::PullPlace>>
Proposer::open(wire::ProposalFacts facts, domain::WatchedFile list) {
    const auto branch = wire::proposal_branch(facts);
    ports::PullDraft draft{
        .repo = list.repo,
        .branch = branch,
        .onto = list.ref,
        .title = wire::proposal_title(facts),
        .text = wire::proposal_text(facts),
    };
    auto opened = co_await around_.writing.propose_pull(std::move(draft));
    if (opened || opened.error().code != Errc::invalid) {
        co_return opened;
    }
    // GitHub says so too when one is there that the list of them did not show yet.
    ports::PullFrom query{.repo = list.repo, .branch = branch};
    BATON_CO_TRY(const auto found, co_await around_.writing.find_pull(std::move(query)));
    if (found) {
        co_return *found;
    }
    co_return opened;
}

} // namespace baton::relay
