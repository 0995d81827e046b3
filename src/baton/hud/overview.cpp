#include "baton/hud/overview.hpp"

#include "baton/base/ids.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/probe.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::hud {

namespace {

constexpr double kHalf = 0.5;

std::string many(std::size_t n, std::string_view one, std::string_view several) {
    return fmt::format("{} {}", n, n == 1 ? one : several);
}

void add_relay(std::vector<Attention>& all, const RelayState& relay) {
    for (const auto& [part, trouble] : relay.parts) {
        if (!trouble.empty()) {
            all.push_back({
                .severity = Severity::high,
                .kind = "relay",
                .text = fmt::format("{}: {}", part, trouble),
                .subject = part,
                .page = "/",
            });
        }
    }
}

/// The relay is judged by what was made to prove it: whose fault it is otherwise, nobody can tell.
void add_probe(std::vector<Attention>& all, const ProbeRuns& runs) {
    std::vector<std::string> faults;
    std::optional<TimePoint> since;
    for (const auto& row : runs.rows) {
        for (const auto& cell : row.cells) {
            auto fault = domain::fault_of_probe(cell.job, cell.outcome);
            if (!fault.empty()) {
                faults.push_back(std::move(fault));
                since = since ? std::min(*since, row.at) : row.at;
            }
        }
    }
    if (faults.empty()) {
        return;
    }
    all.push_back({
        .severity = Severity::high,
        .kind = "probe",
        .text = fmt::format(
            "the relay's probe {}: {}{}",
            runs.probe.text(),
            faults.front(),
            faults.size() > 1 ? fmt::format(", and {} more", faults.size() - 1) : ""
        ),
        .subject = runs.probe.text(),
        .page = page_of(runs.probe),
        .since = since,
    });
}

bool is_probe(const std::vector<ProbeRuns>& probes, const DownstreamLine& line) {
    return std::ranges::any_of(probes, [&line](const ProbeRuns& runs) {
        return runs.upstream == line.upstream && runs.probe == line.listed.repo;
    });
}

void add_lists(std::vector<Attention>& all, const std::vector<ListInForce>& lists) {
    for (const auto& list : lists) {
        if (!list.trouble.empty()) {
            all.push_back({
                .severity = Severity::medium,
                .kind = "allowlist",
                .text = fmt::format(
                    "the newest allowlist of {} is not in force: {}",
                    list.upstream.text(),
                    list.trouble
                ),
                .subject = list.upstream.text(),
                .page = "/",
            });
        }
    }
}

void add_given_up(std::vector<Attention>& all, const RelayFigures& figures) {
    const auto add = [&all](std::size_t n, Attention attention) {
        if (n > 0) {
            all.push_back(std::move(attention));
        }
    };
    const auto dispatches = figures.given_up;
    add(dispatches,
        {.severity = Severity::medium,
         .kind = "dead_dispatches",
         .text = fmt::format(
             "{} given up",
             many(
                 dispatches,
                 "dispatch was",
                 dispatches < kGivenUpMax ? "dispatches were" : "or more dispatches were"
             )
         ),
         .subject = "dispatches",
         .page = "/dead"});
    const auto letters = figures.results.dead_letters;
    add(letters,
        {.severity = Severity::low,
         .kind = "dead_letters",
         .text = fmt::format("{} to a sink given up", many(letters, "letter", "letters")),
         .subject = "letters",
         .page = "/dead"});
    const auto checks = figures.checks.given_up;
    add(checks,
        {.severity = Severity::medium,
         .kind = "checks_given_up",
         .text = fmt::format("GitHub never took {}", many(checks, "check", "checks")),
         .subject = "checks",
         .page = "/"});
}

/// One entry for each caller: the most frequent reason, and how many of all.
void add_refused(std::vector<Attention>& all, const RelayFigures& figures) {
    std::map<RepoName, std::vector<ports::RefusalTotal>> callers;
    for (const auto& total : figures.refused) {
        callers[total.downstream].push_back(total);
    }
    for (const auto& [caller, totals] : callers) {
        const auto most = std::ranges::max_element(totals, {}, &ports::RefusalTotal::count);
        std::size_t n = 0;
        for (const auto& total : totals) {
            n += total.count;
        }
        const auto who = caller.empty() ? std::string("unknown callers") : caller.text();
        all.push_back({
            .severity = Severity::low,
            .kind = "refused",
            .text = fmt::format(
                "{} of {} refused in the last hour: {}{}",
                many(n, "report", "reports"),
                who,
                most->reason,
                totals.size() > 1 ? " and others" : ""
            ),
            .subject = who,
            .page = caller.empty() ? "/refused" : fmt::format("/refused?downstream={}", who),
            .since = most->last_at,
        });
    }
}

Severity weight_of(const DownstreamLine& line) {
    return line.listed.level >= domain::Level::l4 ? Severity::high : Severity::medium;
}

void add_downstream(std::vector<Attention>& all, const DownstreamLine& line, bool is_probe) {
    const auto about = [&](std::string_view kind, Severity severity, std::string text) {
        all.push_back({
            .severity = severity,
            .kind = kind,
            .text = std::move(text),
            .subject = line.listed.repo.text(),
            .page = page_of(line.listed.repo),
            .since = kind == "gate_suspended" ? line.gate_since
                     : kind == "held"         ? line.suspended_since
                                              : std::nullopt,
            .key = fmt::format("{}:{}>{}", kind, line.upstream.text(), line.listed.repo.text()),
        });
    };
    const auto& name = line.listed.repo.text();
    if (line.gate == GateState::suspended) {
        about(
            "gate_suspended",
            Severity::high,
            fmt::format("{} does not count in the gate: {}", name, line.gate_reason)
        );
    }
    if (line.suspended) {
        about("held", weight_of(line), fmt::format("{} is sent nothing: {}", name, line.held));
    }
    if (line.listed.lowered_from) {
        about(
            "lowered",
            Severity::medium,
            fmt::format(
                "{} is at {} for now, and listed at {}",
                name,
                domain::name_of(line.listed.level),
                domain::name_of(*line.listed.lowered_from)
            )
        );
        all.back().page += "/level";
    }
    if (line.silent > 0) {
        about(
            "silent",
            weight_of(line),
            fmt::format(
                "{} never started {}{}",
                name,
                many(line.silent, "dispatch", "dispatches"),
                is_blocking_unknown(line)
                    ? fmt::format("; blocking, and what it says is unknown. {}", line.gate_rule)
                    : ""
            )
        );
    }
    const auto rate = domain::rates_of(line.ended).final_attempt;
    if (!is_probe && !rate.few() && rate.high < kHalf) { // a probe is made to fail, too
        about(
            "failing",
            weight_of(line),
            fmt::format("{} passes {:.0f} % of {} cells", name, *rate.value * 100, rate.n)
        );
    }
}

/// Somebody may look after it already.
void acknowledge(Attention& attention, const std::vector<ports::Acknowledgement>& known) {
    if (attention.key.empty()) {
        attention.key = fmt::format("{}:{}", attention.kind, attention.subject);
    }
    const auto found = std::ranges::find(known, attention.key, &ports::Acknowledgement::key);
    if (found != known.end()) {
        attention.acknowledged = *found;
    }
}

} // namespace

std::string_view name_of(Severity severity) {
    switch (severity) {
    case Severity::high:
        return "high";
    case Severity::medium:
        return "medium";
    case Severity::low:
        break;
    }
    return "low";
}

std::size_t dispatches_in(const ports::Counts& counts, domain::DispatchState state) {
    for (const auto& [known, n] : counts.dispatches) {
        if (known == state) {
            return n;
        }
    }
    return 0;
}

std::string page_of(const RepoName& downstream) {
    return fmt::format("/b/{}", downstream.text());
}

Overview overview_of(OverviewFacts facts) {
    Overview overview;
    for (const auto& list : facts.downstreams.lists) {
        overview.upstreams.push_back(list.upstream);
    }
    overview.downstreams = lines_of(facts.downstreams);
    if (facts.upstream) {
        std::erase_if(overview.downstreams, [&](const DownstreamLine& line) {
            return line.upstream != *facts.upstream;
        });
    }
    add_relay(overview.attention, facts.relay);
    add_lists(overview.attention, facts.downstreams.lists);
    for (const auto& probe : facts.probes) {
        add_probe(overview.attention, probe);
    }
    for (const auto& line : overview.downstreams) {
        add_downstream(overview.attention, line, is_probe(facts.probes, line));
    }
    add_given_up(overview.attention, facts.figures);
    add_refused(overview.attention, facts.figures);
    for (auto& attention : overview.attention) {
        acknowledge(attention, facts.acknowledgements);
    }
    std::ranges::sort(overview.attention, {}, [](const Attention& one) {
        return std::tuple(one.acknowledged.has_value(), one.severity, one.kind, one.subject);
    });
    overview.window = std::move(facts.window);
    overview.relay = std::move(facts.relay);
    overview.figures = std::move(facts.figures);
    return overview;
}

} // namespace baton::hud
