#include "baton/app/demo_checks.hpp"

#include "baton/app/demo_cast.hpp"
#include "baton/app/demo_text.hpp"
#include "baton/app/demo_view.hpp"
#include "baton/app/demo_watch.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/checks.hpp"
#include "baton/sim/check_book.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace baton::app::demo {

using namespace std::chrono_literals;

namespace {

constexpr Millis kGrace = 2s; // a call, and a machine that does much else

bool is_open(const sim::CheckRun& run) {
    return run.status != "completed";
}

std::string named(const sim::CheckRun& run) {
    return fmt::format("check {} on {}", run.name, run.head.text().substr(0, 8));
}

/// `completed success`, `queued`
std::string state_of(const domain::Check& check) {
    return check.conclusion
               ? fmt::format("{} {}", name_of(check.status), name_of(*check.conclusion))
               : std::string(name_of(check.status));
}

std::string state_of(const sim::CheckRun& run) {
    return run.conclusion.empty() ? run.status : fmt::format("{} {}", run.status, run.conclusion);
}

bool agree(const sim::CheckRun& run, const domain::Check& wanted) {
    return state_of(run) == state_of(wanted) && run.title == wanted.title;
}

/// Builds the account; each of its steps looks at one promise.
class CheckAuditor {
public:
    explicit CheckAuditor(const CheckEvidence& evidence)
        : evidence_(evidence) {
        account_.checks = evidence.checks;
        account_.scenes = evidence.scenes;
        for (const auto& run : evidence.runs) {
            runs_[{run.head, run.name}].push_back(&run);
            account_.changes += run.changes;
        }
        for (const auto& [number, pull] : evidence.pulls) {
            account_.merged += pull.merged ? 1 : 0;
        }
    }

    CheckAccount finish() {
        look_at_postings();
        look_at_what_is_left();
        look_at_counts();
        for (const auto& run : evidence_.runs) {
            if (is_open(run)) {
                look_at_open(run);
            }
        }
        tell_turns();
        return std::move(account_);
    }

private:
    using Place = std::pair<HeadSha, std::string>; // commit and name

    void look_at_postings() {
        for (const auto& posting : evidence_.postings) {
            if (posting.kind == ports::PostingKind::comment) {
                ++account_.comments;
                account_.comment_calls += posting.calls;
                continue;
            }
            account_.calls += posting.calls;
            const auto found = runs_.find({posting.subject.head, posting.check.name});
            if (found == runs_.end()) {
                if (posting.in_step) {
                    wrong(fmt::format(
                        "check {} is called posted and GitHub has none", posting.check.name
                    ));
                }
                continue;
            }
            const auto runs = std::move(found->second);
            runs_.erase(found);
            if (runs.size() > 1) {
                wrong(fmt::format("{} is there {} times", named(*runs.front()), runs.size()));
            }
            if (posting.in_step && !agree(*runs.back(), posting.check)) {
                wrong(fmt::format(
                    "{} is {} on GitHub and {} is wanted",
                    named(*runs.back()),
                    state_of(*runs.back()),
                    state_of(posting.check)
                ));
            }
        }
    }

    void look_at_what_is_left() {
        for (const auto& [place, runs] : runs_) {
            wrong(fmt::format("{} is on GitHub and not in the store", named(*runs.front())));
        }
    }

    void look_at_counts() {
        const auto& counts = evidence_.counts;
        account_.on_the_way = counts.waiting;
        if (counts.oldest && *counts.oldest + kGrace < evidence_.stopped_at) {
            wrong(fmt::format(
                "{} checks or comments are out of step with GitHub, the oldest for {}",
                counts.waiting,
                seconds_text(evidence_.stopped_at - *counts.oldest)
            ));
        }
        if (counts.given_up > 0) {
            wrong(fmt::format("{} checks or comments were given up", counts.given_up));
        }
    }

    /// It may be open: on the head of an open pull request, and for as long as anybody is waited
    /// for.
    void look_at_open(const sim::CheckRun& run) {
        const bool current = std::ranges::any_of(evidence_.pulls, [&](const auto& entry) {
            return entry.second.open && entry.second.head == run.head;
        });
        if (!current && !is_on_its_way(run)) {
            wrong(fmt::format("{} is open, and its commit is history", named(run)));
        }
        const auto limit = run.name == kGateName ? evidence_.longest_gate : evidence_.longest_job;
        if (run.started_at && *run.started_at + limit + kGrace < evidence_.stopped_at) {
            wrong(fmt::format(
                "{} should have ended: it is open for {}",
                named(run),
                seconds_text(evidence_.stopped_at - *run.started_at)
            ));
        }
    }

    bool is_on_its_way(const sim::CheckRun& run) const {
        return std::ranges::any_of(evidence_.postings, [&](const ports::KeptPosting& posting) {
            return !posting.in_step && posting.subject.head == run.head &&
                   posting.check.name == run.name;
        });
    }

    void tell_turns() {
        std::map<RepoName, std::string> open;
        for (const auto& turn : evidence_.turns) {
            auto& sentence = open[turn.downstream];
            if (turn.suspended) {
                sentence = fmt::format(
                    "{}: suspended at {}, {}",
                    turn.downstream.text(),
                    clock_text(turn.at),
                    turn.reason
                );
            } else {
                account_.turns.push_back(
                    fmt::format("{}; back at {}, {}", sentence, clock_text(turn.at), turn.reason)
                );
                open.erase(turn.downstream);
            }
        }
        for (const auto& [repo, sentence] : open) {
            account_.turns.push_back(sentence + "; still is");
        }
    }

    void wrong(std::string sentence) { account_.wrong.push_back(std::move(sentence)); }

    const CheckEvidence& evidence_;
    CheckAccount account_;
    std::map<Place, std::vector<const sim::CheckRun*>> runs_; // not looked at yet
};

} // namespace

GateState gate_of(const sim::GithubModel& model, const sim::Pull& pull) {
    const auto verdict = model.mergeable(*model.repo(repo_named(kUpstream)), pull);
    if (!verdict.failing.empty()) {
        return GateState::red;
    }
    return verdict.waiting_for.empty() ? GateState::green : GateState::waiting;
}

std::vector<sim::CheckRun> check_runs_of(const sim::GithubModel& model) {
    const auto* const in = model.repo(repo_named(kUpstream));
    std::vector<sim::CheckRun> out;
    for (const auto& head : in->commits) {
        for (const auto* const run : model.checks().of(in->id, head)) {
            out.push_back(*run);
        }
    }
    return out;
}

Checks checks_so_far(const sim::GithubModel& model) {
    const auto* const in = model.repo(repo_named(kUpstream));
    Checks out;
    for (const auto& head : in->commits) {
        out.posted += model.checks().of(in->id, head).size();
    }
    for (const auto& [number, pull] : in->pulls) {
        if (!pull.open) {
            continue;
        }
        const auto gate = gate_of(model, pull);
        ++out.pulls;
        out.green += gate == GateState::green ? 1 : 0;
        out.red += gate == GateState::red ? 1 : 0;
        out.waiting += gate == GateState::waiting ? 1 : 0;
        out.mergeable += model.mergeable(*in, pull).mergeable ? 1 : 0;
    }
    return out;
}

CheckAccount audit_checks(const CheckEvidence& evidence) {
    return CheckAuditor(evidence).finish();
}

} // namespace baton::app::demo
