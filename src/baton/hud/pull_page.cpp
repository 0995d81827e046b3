#include "baton/hud/pull_page.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/run.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/pull_failures.hpp"
#include "baton/ports/checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::hud {

namespace {

constexpr std::size_t kTimelineMax = 500;

// --- the timeline

void tell_run(std::vector<Happening>& story, const domain::Run& run) {
    const auto& dispatch = run.dispatch;
    const auto tell = [&](TimePoint at, std::string_view kind, std::string text) {
        story.push_back({
            .at = at,
            .kind = kind,
            .delivery = dispatch.key.delivery.text(),
            .downstream = dispatch.key.downstream.text(),
            .text = std::move(text),
        });
    };
    tell(dispatch.created_at, "planned", dispatch.reason);
    if (dispatch.sent_at) {
        tell(*dispatch.sent_at, "sent", fmt::format("sent, attempt {}", dispatch.attempts));
    }
    if (run.silent_at) {
        tell(*run.silent_at, "silent", "nobody started it in time");
    }
    for (const auto& job : run.jobs) {
        const auto name = fmt::format("{} / {}", job.key.workflow, job.key.job);
        if (job.started_at) {
            tell(
                *job.started_at,
                "started",
                fmt::format("{} began: run {}, attempt {}", name, job.key.run_id, job.key.attempt)
            );
        }
        if (job.completed_at && job.conclusion) {
            tell(
                *job.completed_at,
                "finished",
                fmt::format(
                    "{}: {} (run {}, attempt {})",
                    name,
                    domain::name_of(*job.conclusion),
                    job.key.run_id,
                    job.key.attempt
                )
            );
        }
    }
}

/// Of one millisecond: in the order in which one follows from the other.
std::ptrdiff_t place_of(std::string_view kind) {
    constexpr std::array<std::string_view, 6> kOrder{
        "received", "planned", "sent", "started", "silent", "finished"
    };
    return std::ranges::find(kOrder, kind) - kOrder.begin();
}

std::vector<Happening> timeline_of(const PullFacts& facts) {
    std::vector<Happening> story;
    story.reserve(facts.deliveries.size());
    for (const auto& delivery : facts.deliveries) {
        story.push_back({
            .at = delivery.received_at,
            .kind = "received",
            .delivery = delivery.id.text(),
            .downstream = "",
            .text = delivery.action.empty() ? delivery.event
                                            : fmt::format("{} {}", delivery.event, delivery.action),
        });
    }
    for (const auto& run : facts.runs) {
        tell_run(story, run);
    }
    std::ranges::sort(story, {}, [](const Happening& one) {
        return std::tuple(
            one.at, place_of(one.kind), std::string_view(one.downstream), std::string_view(one.text)
        );
    });
    if (story.size() > kTimelineMax) {
        story.erase(story.begin(), story.end() - static_cast<std::ptrdiff_t>(kTimelineMax));
    }
    return story;
}

// --- downstreams

/// What there is of one downstream.
struct Heard {
    domain::Run newest; // its jobs are below
    std::vector<domain::Job> jobs;
};

std::string reason_of(const BackendOnPull& backend, const domain::Run& newest) {
    const auto count = [&](bool (*wanted)(domain::CellOutcome)) {
        return std::ranges::count_if(backend.cells, [wanted](const Cell& cell) {
            return wanted(cell.outcome);
        });
    };
    if (backend.cells.empty()) {
        return newest.silent_at ? "nobody started it in time" : newest.dispatch.reason;
    }
    const auto passed = count(&domain::passes);
    const auto running =
        count([](domain::CellOutcome outcome) { return outcome == domain::CellOutcome::running; });
    auto text = fmt::format("{} of {} jobs passed", passed, backend.cells.size());
    if (running > 0) {
        text += fmt::format(", {} running", running);
    }
    return text;
}

const DownstreamLine* line_for(const std::vector<DownstreamLine>& lines, const RepoName& repo) {
    const auto found = std::ranges::find_if(lines, [&repo](const DownstreamLine& line) {
        return line.listed.repo == repo;
    });
    return found == lines.end() ? nullptr : &*found;
}

/// That it ended is the relay's own word.
bool was_given_up(const Cell& cell) {
    return !cell.attempts.empty() && cell.attempts.back().conclusion &&
           cell.attempts.back().said_by == domain::SaidBy::relay;
}

BackendOnPull backend_of(Heard heard, const DownstreamLine& line) {
    const auto& newest = heard.newest;
    BackendOnPull backend;
    backend.repo = line.listed.repo;
    backend.level = line.listed.level;
    backend.lowered_from = line.listed.lowered_from;
    backend.device = line.listed.device;
    backend.blocking = line.gate == GateState::counted;
    backend.state = newest.dispatch.state;
    backend.dispatched_at = newest.dispatch.sent_at;
    backend.cells = cells_of(std::move(heard.jobs));
    std::vector<domain::CellOutcome> outcomes;
    outcomes.reserve(backend.cells.size());
    for (const auto& cell : backend.cells) {
        outcomes.push_back(cell.outcome);
    }
    backend.standing = standing_of(
        outcomes,
        {.level = newest.dispatch.level,
         .state = backend.state,
         .silent = newest.silent_at.has_value()}
    );
    backend.reason = reason_of(backend, newest);
    backend.gate_rule = line.gate_rule;
    backend.blocking_unknown =
        backend.blocking &&
        (backend.standing == Standing::silent || std::ranges::any_of(backend.cells, was_given_up));
    return backend;
}

void add_failed_tests(BackendOnPull& backend, const std::vector<FailedTestOf>& all) {
    for (const auto& cell : backend.cells) {
        for (const auto& failed : all) {
            if (std::ranges::find(cell.attempts, failed.job, &domain::Job::id) !=
                cell.attempts.end()) {
                backend.failed_tests.push_back(failed);
            }
        }
    }
}

bool holds_up(const BackendOnPull& backend) {
    return backend.standing == Standing::failure || backend.standing == Standing::timed_out;
}

/// Takes the runs out of the facts.
std::vector<BackendOnPull> backends_of(PullFacts& facts) {
    std::map<RepoName, Heard> by_downstream;
    for (auto& run : facts.runs) { // newest first
        auto jobs = std::exchange(run.jobs, {});
        auto& heard = by_downstream[run.dispatch.key.downstream];
        if (heard.newest.dispatch.key.downstream.empty()) {
            heard.newest = std::move(run);
        }
        std::ranges::move(jobs, std::back_inserter(heard.jobs));
    }
    std::vector<BackendOnPull> backends;
    for (auto& [repo, heard] : by_downstream) {
        backends.push_back(backend_of(std::move(heard), *line_for(facts.lines, repo)));
        add_failed_tests(backends.back(), facts.failed_tests);
    }
    std::ranges::sort(backends, {}, [](const BackendOnPull& backend) {
        return std::tuple(
            !(backend.blocking && holds_up(backend)),
            -static_cast<int>(backend.level),
            !holds_up(backend),
            backend.repo.key()
        );
    });
    return backends;
}

// --- the verdict

std::string
named(const std::vector<BackendOnPull>& backends, bool (*wanted)(const BackendOnPull&)) {
    std::vector<std::string_view> names;
    for (const auto& backend : backends) {
        if (backend.blocking && wanted(backend)) {
            names.push_back(backend.repo.text());
        }
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

Verdict verdict_of(
    const std::optional<ports::KeptPosting>& gate, const std::vector<BackendOnPull>& backends
) {
    if (!gate) {
        return {.merge = Merge::not_gated, .text = "No gate stands on this commit."};
    }
    const auto& check = gate->check;
    if (check.status != domain::CheckStatus::completed) {
        const auto open = named(backends, [](const BackendOnPull& backend) {
            return backend.standing == Standing::running || backend.standing == Standing::waiting;
        });
        return {
            .merge = Merge::waiting,
            .text = open.empty() ? check.title : fmt::format("{}: waits for {}", check.title, open),
        };
    }
    if (check.conclusion == domain::Conclusion::failure) {
        const auto red = named(backends, holds_up);
        return {
            .merge = Merge::blocked,
            .text = red.empty() ? check.title : fmt::format("{}: {}", check.title, red),
        };
    }
    if (check.conclusion == domain::Conclusion::cancelled) {
        return {.merge = Merge::over, .text = check.title};
    }
    return {.merge = Merge::clear, .text = check.title};
}

std::vector<Withheld> withheld_from(const PullFacts& facts) {
    std::vector<Withheld> all;
    if (!facts.pull.open || facts.head != facts.pull.head) {
        return all;
    }
    for (const auto& line : facts.lines) {
        const bool heard = std::ranges::any_of(facts.runs, [&line](const domain::Run& run) {
            return run.dispatch.key.downstream == line.listed.repo;
        });
        if (!line.held.empty() && !heard) {
            all.push_back({
                .repo = line.listed.repo,
                .level = line.listed.level,
                .lowered_from = line.listed.lowered_from,
                .reason = line.held,
            });
        }
    }
    std::ranges::sort(all, {}, &Withheld::repo);
    return all;
}

/// "crcr/owner/repo/workflow/job" -> owner/repo. What cannot be read is shown to nobody.
std::optional<RepoName> downstream_in(std::string_view check, std::string_view gate) {
    const auto prefix = gate.substr(0, gate.rfind('/') + 1);
    if (prefix.empty() || !check.starts_with(prefix)) {
        return std::nullopt;
    }
    const auto rest = check.substr(prefix.size());
    const auto owner_ends = rest.find('/');
    const auto name_ends =
        rest.find('/', owner_ends == std::string_view::npos ? owner_ends : owner_ends + 1);
    const auto repo = RepoName::parse(rest.substr(0, name_ends));
    return repo ? std::optional(*repo) : std::nullopt;
}

} // namespace

std::vector<Cell> cells_of(std::vector<domain::Job> told) {
    std::map<std::pair<std::string, std::string>, std::vector<domain::Job>> by_name;
    for (auto& job : told) {
        if (job.counts) {
            by_name[{job.key.workflow, job.key.job}].push_back(std::move(job));
        }
    }
    std::vector<Cell> cells;
    for (auto& [name, jobs] : by_name) {
        std::ranges::sort(jobs, {}, &domain::Job::id); // as they were first heard of
        cells.push_back({
            .workflow = name.first,
            .job = name.second,
            .outcome = domain::merge(domain::attempts_of(jobs)),
            .attempts = std::move(jobs),
            .against_base = {},
            .attribution = {},
        });
    }
    return cells;
}

PullPage pull_page_of(PullFacts facts) {
    std::erase_if(facts.runs, [&facts](const domain::Run& run) { // private, or not listed any more
        return line_for(facts.lines, run.dispatch.key.downstream) == nullptr;
    });
    PullPage page;
    page.timeline = timeline_of(facts);
    page.withheld = withheld_from(facts);
    page.backends = backends_of(facts);
    tell_failures(page.backends, facts.around);
    for (auto& posting : facts.postings) {
        if (posting.kind != ports::PostingKind::check) {
            continue;
        }
        const auto downstream = downstream_in(posting.check.name, facts.gate_name);
        if (posting.check.name == facts.gate_name) {
            page.gate = std::move(posting);
        } else if (downstream && line_for(facts.lines, *downstream) != nullptr) {
            page.checks.push_back(std::move(posting));
        }
    }
    page.verdict = verdict_of(page.gate, page.backends);
    page.pull = std::move(facts.pull);
    page.head = std::move(facts.head);
    page.heads = std::move(facts.heads);
    return page;
}

} // namespace baton::hud
