#include "explain_story.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/store.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <fmt/core.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "deliveries.hpp"
#include "job_text.hpp"
#include "ledger_detail.hpp"
#include "print.hpp"

namespace baton::program {

namespace json = boost::json;
using domain::DispatchState;

namespace {

/// `org/backend`, `org/backend generation 1`.
std::string name_of_dispatch(const domain::Dispatch& dispatch) {
    return dispatch.key.generation == 0
               ? dispatch.key.downstream.text()
               : fmt::format(
                     "{} generation {}", dispatch.key.downstream.text(), dispatch.key.generation
                 );
}

std::string list_in_force(const PlannedDetail& plan, const Told& told) {
    for (const auto& version : told.lists) {
        if (lower(version.upstream.text()) == lower(plan.upstream)) {
            return fmt::format(
                "by the allowlist of {} from {}",
                to_rfc3339(version.in_force_at),
                inert(version.source)
            );
        }
    }
    return "by an allowlist that is not in the store any more";
}

Moment planned(const ports::LedgerLine& line, const PlannedDetail& plan, const Told& told) {
    Moment moment{.at = line.at, .words = "planned ", .more = {}};
    moment.words += list_in_force(plan, told);
    if (plan.superseded + plan.cancelled > 0) {
        moment.words += fmt::format(
            "; older ones: {} superseded, {} cancelled", plan.superseded, plan.cancelled
        );
    }
    for (const auto& decision : plan.decisions) {
        moment.more.push_back(fmt::format(
            "{} {}{}{}",
            decision.dispatch ? "to" : "not to",
            decision.downstream.text(),
            decision.reason.empty() ? "" : ": ",
            inert(decision.reason)
        ));
    }
    return moment;
}

Moment other(const ports::LedgerLine& line, const ports::DeliveryHistory& history) {
    std::string subject;
    for (const auto& one : history.dispatches) {
        if (line.dispatch == one.dispatch.id) {
            subject = name_of_dispatch(one.dispatch) + ": ";
        }
    }
    // Some details are reasons that begin with the kind themselves: "silent: no start within 3h".
    const auto kind = line.detail.starts_with(line.kind + ":") ? std::string() : inert(line.kind);
    const bool both = !kind.empty() && !line.detail.empty();
    return {
        .at = line.at,
        .words = fmt::format("{}{}{}{}", subject, kind, both ? ": " : "", inert(line.detail)),
        .more = {}
    };
}

Moment attempted(const domain::Dispatch& dispatch, const ports::Attempt& attempt) {
    return {
        .at = attempt.started_at,
        .words = fmt::format(
            "{}: attempt {}: {}{}{}{}{}",
            name_of_dispatch(dispatch),
            attempt.number,
            outcome_of(attempt),
            attempt.status == 0 ? "" : fmt::format(" {}", attempt.status),
            attempt.ended_at
                ? fmt::format(" after {}", baton::to_text(*attempt.ended_at - attempt.started_at))
                : "",
            attempt.detail.empty() ? "" : ": ",
            inert(attempt.detail)
        ),
        .more = {}
    };
}

/// The ledger says in short what the job's own lines say in full.
bool is_told_by_its_job(const ports::LedgerLine& line) {
    return line.kind == "started" || line.kind == "finished" || line.kind == "timed_out" ||
           line.kind == "stopped";
}

/// Its start and its end, as far as they were heard of.
std::vector<Moment> lived(const domain::Dispatch& dispatch, const domain::Job& job) {
    std::vector<Moment> moments;
    const auto name = fmt::format("{}: {}", name_of_dispatch(dispatch), name_of_job(job));
    if (job.started_at) {
        moments.push_back({.at = *job.started_at, .words = name + " started", .more = {}});
    }
    if (job.completed_at) {
        moments.push_back({
            .at = *job.completed_at,
            .words = fmt::format("{}: {}", name, words_about(job)),
            .more = {},
        });
    }
    return moments;
}

/// `1 failure, 2 in progress`: the newest attempt of each job that counts.
std::string tally_of(const std::vector<domain::Job>& jobs) {
    std::map<std::pair<std::string, std::string>, const domain::Job*> newest;
    for (const auto& job : jobs) {
        auto& known = newest[{job.key.workflow, job.key.job}];
        if (job.counts && (known == nullptr || known->key.attempt <= job.key.attempt)) {
            known = &job;
        }
    }
    std::map<std::string, int> by_word;
    for (const auto& [name, job] : newest) {
        if (job != nullptr) {
            ++by_word[job->conclusion ? std::string(name_of(*job->conclusion)) : "in progress"];
        }
    }
    std::vector<std::string> parts;
    for (const auto& [word, n] : by_word) {
        parts.push_back(fmt::format("{} {}", n, word));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string next_of_pending(
    const domain::Dispatch& dispatch,
    const std::vector<domain::Suspension>& suspensions,
    TimePoint now
) {
    const domain::Pairing pairing{
        .upstream = dispatch.upstream, .downstream = dispatch.key.downstream
    };
    if (const auto* held = domain::suspension_of(suspensions, pairing, now)) {
        return fmt::format("is held: {}", to_text(*held));
    }
    const auto why = dispatch.reason.empty() ? "" : fmt::format(" ({})", dispatch.reason);
    return dispatch.due_at > now
               ? fmt::format(
                     "attempt {} at {}{}", dispatch.attempts + 1, to_rfc3339(dispatch.due_at), why
                 )
               : fmt::format(
                     "due since {}: goes as soon as there is room", to_rfc3339(dispatch.due_at)
                 );
}

std::string next_of(
    const domain::Dispatch& dispatch,
    const std::vector<domain::Suspension>& suspensions,
    TimePoint now,
    bool body_kept
) {
    const auto why = dispatch.reason.empty() ? "" : fmt::format(": {}", dispatch.reason);
    switch (dispatch.state) {
    case DispatchState::pending:
        return next_of_pending(dispatch, suspensions, now);
    case DispatchState::sent:
        return fmt::format("GitHub has it since {}", to_rfc3339(dispatch.sent_at.value_or(now)));
    case DispatchState::started:
        return "it runs";
    case DispatchState::finished:
        return "it has ended" + why;
    case DispatchState::superseded:
    case DispatchState::cancelled:
        return "nothing more" + why;
    case DispatchState::failed:
    case DispatchState::dead:
        if (!body_kept) {
            return "nothing more: its payload is past retention" + why;
        }
        return fmt::format(
            "nothing, until `baton deliveries redeliver {}`{}", dispatch.key.delivery.text(), why
        );
    }
    return "";
}

} // namespace

std::vector<Moment> story_of(const Told& told) {
    const auto& delivery = told.history.delivery;
    std::multimap<TimePoint, Moment> by_time; // what happened at once stays in this order
    const auto add = [&by_time](Moment moment) { by_time.emplace(moment.at, std::move(moment)); };
    add({
        .at = delivery.received_at,
        .words = fmt::format(
            "received {}{}{}, {} bytes{}, as {} (number {})",
            inert(delivery.event),
            delivery.action.empty() ? "" : " ",
            inert(delivery.action),
            delivery.body_bytes,
            told.history.body_kept ? "" : " (past retention, no longer kept)",
            inert(delivery.id.text()),
            delivery.sequence
        ),
        .more = {},
    });
    if (!told.history.results_kept) {
        add({
            .at = delivery.received_at,
            .words = "what was sent because of it, and what came of that, is past retention",
            .more = {},
        });
    }
    for (const auto& one : told.history.dispatches) {
        for (const auto& attempt : one.attempts) {
            add(attempted(one.dispatch, attempt));
        }
        for (const auto& job : one.jobs) {
            for (auto& moment : lived(one.dispatch, job)) {
                add(std::move(moment));
            }
        }
    }
    for (const auto& line : told.history.ledger) {
        if (is_told_by_its_job(line)) {
            continue;
        }
        const auto plan = planned_in(line);
        add(plan ? planned(line, *plan, told) : other(line, told.history));
    }
    std::vector<Moment> story;
    for (auto& [when, moment] : by_time) {
        story.push_back(std::move(moment));
    }
    return story;
}

std::vector<Standing> standings_of(
    const std::vector<Told>& deliveries,
    const std::vector<domain::Suspension>& suspensions,
    TimePoint now
) {
    std::map<RepoName, Standing> by_name;
    std::map<RepoName, DispatchId> newest;
    for (const auto& told : deliveries) {
        for (const auto& line : told.history.ledger) {
            const auto plan = planned_in(line);
            for (const auto& decision : plan ? plan->decisions : std::vector<domain::Decision>{}) {
                if (!decision.dispatch && !newest.contains(decision.downstream)) {
                    by_name[decision.downstream] = {
                        .downstream = decision.downstream,
                        .state = "withheld",
                        .next = decision.reason,
                    };
                }
            }
        }
        for (const auto& one : told.history.dispatches) {
            const auto& dispatch = one.dispatch;
            auto& held = newest[dispatch.key.downstream];
            if (held <= dispatch.id) {
                held = dispatch.id;
                by_name[dispatch.key.downstream] = {
                    .downstream = dispatch.key.downstream,
                    .state = std::string(name_of(dispatch.state)),
                    .next = one.jobs.empty()
                                ? next_of(dispatch, suspensions, now, told.history.body_kept)
                                : tally_of(one.jobs),
                };
            }
        }
    }
    std::vector<Standing> all;
    for (auto& [name, standing] : by_name) {
        all.push_back(std::move(standing));
    }
    return all;
}

json::array to_json(const std::vector<Moment>& story) {
    json::array all;
    for (const auto& moment : story) {
        all.emplace_back(json::object{
            {"at", to_rfc3339(moment.at)},
            {"words", json_text(moment.words)},
            {"more", json::array(moment.more.begin(), moment.more.end())},
        });
    }
    return all;
}

json::array to_json(const std::vector<Standing>& standings) {
    json::array all;
    for (const auto& standing : standings) {
        all.emplace_back(json::object{
            {"downstream", standing.downstream.text()},
            {"state", standing.state},
            {"next", json_text(standing.next)},
        });
    }
    return all;
}

} // namespace baton::program
