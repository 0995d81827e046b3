#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/checks.hpp"
#include "baton/domain/gate.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/check_reader.hpp"
#include "baton/sim/check_book.hpp"
#include "baton/sim/github_model.hpp"

#include <boost/asio/io_context.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/checkers.hpp"
#include "sim/life.hpp"
#include "sim/world.hpp"
#include "support/run_coroutine.hpp"

namespace baton::test {

namespace {

constexpr std::string_view kGate = "crcr/gate";
constexpr std::chrono::minutes kGrace{1}; // to look, to post, and for GitHub to take it

/// What a person sees.
std::string shown(const sim::CheckRun& run) {
    return fmt::format(
        "{} {} {} ({}): {}\n{}",
        run.name,
        run.status,
        run.conclusion,
        run.external_id,
        run.title,
        run.summary
    );
}

std::string shown(const domain::Check& check) {
    return fmt::format(
        "{} {} {} ({}): {}\n{}",
        check.name,
        domain::name_of(check.status),
        check.conclusion ? domain::name_of(*check.conclusion) : "",
        check.external_id,
        check.title,
        check.summary
    );
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

/// A check that ends says how; what it says in words may name the commit that was newest then.
bool ends_alike(const sim::CheckRun& run, const domain::Check& check) {
    return run.status == domain::name_of(check.status) && check.conclusion &&
           run.conclusion == domain::name_of(*check.conclusion) &&
           run.external_id == check.external_id;
}

class CheckInspection {
public:
    explicit CheckInspection(World& world)
        : world_(world)
        , upstream_(*world.github().repo(kUpstream))
        , allowlist_(std::make_shared<const domain::Allowlist>(world.allowlist())) {}

    std::vector<std::string> findings() {
        for (const auto& id : world_.accepted()) {
            for (auto& one : world_.history(id).dispatches) {
                dispatched_[one.dispatch.head].push_back(std::move(one));
            }
        }
        boost::asio::io_context aside;
        const auto counts = **test::run(aside, world_.store().check_counts());
        expect(counts.waiting == 0, fmt::format("{} postings never arrived", counts.waiting));
        expect(counts.given_up == 0, fmt::format("{} postings were given up", counts.given_up));
        for (const auto& head : upstream_.commits) {
            look_at_commit(head);
        }
        for (const auto& [head, dispatches] : dispatched_) {
            if (const auto pr = dispatches.front().dispatch.pr) {
                look_at_subject({.upstream = kUpstream, .pr = pr, .head = head});
            }
        }
        look_at_open_gates();
        return findings_;
    }

private:
    std::vector<const sim::CheckRun*> on(const HeadSha& head) const {
        return world_.github().checks().of(upstream_.id, head);
    }

    /// The ones of level 4 for this commit that were not about its end.
    std::vector<ports::DispatchHistory> blocking(const HeadSha& head) {
        auto all = dispatched_[head];
        std::erase_if(all, [this](const ports::DispatchHistory& one) {
            return level_of(one.dispatch.key.downstream) != domain::Level::l4;
        });
        return all;
    }

    domain::Level level_of(const RepoName& repo) const {
        return world_.allowlist().find(repo)->level;
    }

    void look_at_commit(const HeadSha& head) {
        std::set<std::string> names;
        for (const auto* const run : on(head)) {
            expect(
                names.insert(run->name).second,
                fmt::format("{} stands on {} more than once", run->name, head.text())
            );
            if (run->name == kGate) {
                expect(
                    run->status == "completed",
                    fmt::format("the gate of {} never ended", head.text())
                );
                look_at_time(*run);
            } else {
                look_for_dispatch(*run);
            }
        }
    }

    /// A check of a job is where its downstream was told of that commit, and about that run.
    void look_for_dispatch(const sim::CheckRun& run) {
        bool told = false;
        bool runs = false;
        for (const auto& one : dispatched_[run.head]) {
            const auto& repo = one.dispatch.key.downstream;
            const auto number = static_cast<std::int64_t>(one.dispatch.pr.value_or(PrNumber{}));
            if (level_of(repo) < domain::Level::l3) {
                continue;
            }
            for (const auto& job : one.jobs) {
                const bool same = run.external_id == fmt::format("{}:{}", job.key.run_id, number) &&
                                  run.name == domain::check_name("crcr", job) && job.bound &&
                                  job.run_proven;
                told = told || same;
                runs = runs || (same && job.status != domain::JobStatus::completed);
            }
        }
        expect(
            told,
            fmt::format("{} on {} is about nothing that was dispatched", run.name, run.head.text())
        );
        expect(
            run.status == "completed" || (runs && is_open_head(run.head)),
            fmt::format("{} on {} never ended", run.name, run.head.text())
        );
    }

    bool is_open_head(const HeadSha& head) {
        return std::ranges::any_of(dispatched_[head], [&](const ports::DispatchHistory& one) {
            const auto known =
                one.dispatch.pr ? world_.pull_request(*one.dispatch.pr) : std::nullopt;
            return known && known->open && known->head == head;
        });
    }

    /// By the clock, not by what the check says of itself. Where the relay dies, the store fails,
    /// GitHub takes no checks or the clock is set, nobody promises a minute.
    void look_at_time(const sim::CheckRun& gate) {
        const auto& swarm = world_.swarm();
        const auto told = blocking(gate.head);
        if (swarm.crash > 0 || swarm.store_failure > 0 || swarm.clock_jump > 0 || swarm.quota > 0 ||
            swarm.check_trouble > 0 || told.empty() || !gate.ended_at) {
            return;
        }
        TimePoint asked{};
        TimePoint began{};
        bool heard_out = false; // something ended by the downstream's own word
        for (const auto& one : told) {
            asked = std::max(asked, one.dispatch.created_at);
            for (const auto& job : one.jobs) {
                began = std::max(began, job.started_at.value_or(job.completed_at.value_or(asked)));
                heard_out = heard_out || (job.completed_at && job.said_by != domain::SaidBy::relay);
            }
        }
        const bool started = began > TimePoint{};
        const auto rules = check_rules().gate;
        const auto latest = (started ? began + rules.run : asked + rules.start) + kGrace;
        expect(
            heard_out || *gate.ended_at <= latest,
            fmt::format(
                "silence kept the gate of {} undecided until {}; {} was the latest",
                gate.head.text(),
                to_rfc3339(*gate.ended_at),
                to_rfc3339(latest)
            )
        );
    }

    /// GitHub shows what the facts ask for: no more, no less, nothing else.
    void look_at_subject(const domain::Subject& subject) {
        boost::asio::io_context aside;
        relay::CheckReader reader(world_.store());
        const auto facts = test::run(aside, reader.read({.subject = subject}, allowlist_));
        const auto checks = domain::checks_wanted(**facts, check_rules(), world_.now()).checks;
        std::map<std::string, const domain::Check*> wanted;
        for (const auto& check : checks) {
            wanted[check.name] = &check;
        }
        const auto& pull = (*facts)->pull_request;
        const bool is_head = pull && pull->head == subject.head;
        for (const auto* const run : on(subject.head)) {
            const auto found = wanted.find(run->name);
            if (found == wanted.end()) {
                expect(false, fmt::format("{} shows {}", subject.head.text(), shown(*run)));
                continue;
            }
            const auto* const check = found->second;
            wanted.erase(found);
            const bool same = shown(*run) == shown(*check);
            if (same || (!is_head && is_by_label(**facts, run->name))) {
                continue; // a label does not reach back to older commits
            }
            if (run->name == kGate && !(is_head && pull->open)) {
                look_at_old_gate(*run, **facts);
                continue;
            }
            expect(
                !is_head && ends_alike(*run, *check),
                fmt::format(
                    "{} shows {} and should show {}",
                    subject.head.text(),
                    shown(*run),
                    shown(*check)
                )
            );
        }
        for (const auto& [name, check] : wanted) {
            expect(
                !is_head && is_by_label(**facts, name),
                fmt::format("{} does not show {}", subject.head.text(), first_line(shown(*check)))
            );
        }
    }

    static bool is_by_label(const domain::CheckFacts& facts, const std::string& name) {
        return std::ranges::any_of(facts.downstreams, [&](const domain::DownstreamFacts& one) {
            const auto& listed = one.part.downstream;
            return listed.level == domain::Level::l3 &&
                   name.starts_with(fmt::format("crcr/{}/", listed.repo.text()));
        });
    }

    /// The gate of a commit that nobody waits for keeps what it said when it was last looked at.
    /// What changes meanwhile without being about this commit does not reach it: which jobs are
    /// usual, what is red on the base branch, who is suspended, which commit is the newest. It
    /// never says more than its own jobs do.
    void look_at_old_gate(const sim::CheckRun& run, const domain::CheckFacts& facts) {
        bool red = false;
        bool quiet = false;
        for (const auto& one : facts.downstreams) {
            if (one.dispatched && one.part.downstream.level == domain::Level::l4) {
                const auto& last =
                    one.part.spoken && one.part.run.jobs.empty() ? *one.part.spoken : one.part.run;
                red = red || domain::is_red(last);
                quiet = quiet || domain::standing_jobs(last).empty();
            }
        }
        const bool fits = run.conclusion == "cancelled" || (run.conclusion == "failure" && red) ||
                          (run.conclusion == "success" && !red && !quiet);
        expect(
            fits && run.status == "completed",
            fmt::format("the old gate of {} says {}", run.head.text(), shown(run))
        );
    }

    void look_at_open_gates() {
        for (const auto& [number, pull] : upstream_.pulls) {
            const auto known = world_.pull_request(number);
            if (!known || !known->open || !pull.open || known->head != pull.head) {
                continue; // nobody could know
            }
            const auto runs = on(pull.head);
            const auto gate = std::ranges::find(runs, kGate, &sim::CheckRun::name);
            expect(
                gate != runs.end() && (*gate)->status == "completed" &&
                    ((*gate)->conclusion == "success" || (*gate)->conclusion == "failure"),
                fmt::format("the gate of the open head {} is not decided", pull.head.text())
            );
        }
    }

    void expect(bool holds, std::string otherwise) {
        if (!holds) {
            findings_.push_back(std::move(otherwise));
        }
    }

    World& world_;
    const sim::Repo& upstream_;
    std::shared_ptr<const domain::Allowlist> allowlist_;
    std::map<HeadSha, std::vector<ports::DispatchHistory>> dispatched_;
    std::vector<std::string> findings_;
};

} // namespace

std::vector<std::string> check_checks(World& world) {
    return CheckInspection(world).findings();
}

} // namespace baton::test
