#include "baton/domain/checks.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/check_text.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/gate.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

constexpr std::size_t kCheckNameMax = 255;
constexpr std::chrono::minutes kLookAtBase{1};
constexpr std::chrono::years kForEver{10};

/// Enough to keep two long names apart; nobody has a reason to make them collide, and the one who
/// does hides only a check of his own.
std::uint32_t fingerprint(std::string_view text) {
    std::uint32_t hash = 2'166'136'261U; // FNV-1a
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619U;
    }
    return hash;
}

void sooner(std::optional<TimePoint>& look_at, std::optional<TimePoint> other) {
    if (other && (!look_at || *other < *look_at)) {
        look_at = other;
    }
}

/// Facts, rules and moment, and what follows from them for the whole subject.
struct Scene {
    const CheckFacts& facts;
    const CheckRules& rules;
    TimePoint now{};

    Overtaken overtaken() const {
        if (!facts.pull_request) {
            return Overtaken::no;
        }
        if (facts.pull_request->head != facts.subject.head) {
            return Overtaken::newer_commit;
        }
        return facts.pull_request->open ? Overtaken::no : Overtaken::closed;
    }

    HeadSha newer() const { return facts.pull_request ? facts.pull_request->head : HeadSha{}; }

    bool is_shown(const Downstream& downstream) const {
        switch (policy_of(downstream.level).display_on_pr) {
        case DisplayOnPr::always:
            return true;
        case DisplayOnPr::never:
            return false;
        case DisplayOnPr::label_only:
            break;
        }
        return facts.pull_request && !downstream.device.empty() &&
               std::ranges::any_of(rules.label_prefixes, [&](const std::string& prefix) {
                   return facts.pull_request->has_label(prefix + downstream.device);
               });
    }
};

/// A job as its check shows it, and the re-run that it waits for.
struct ShownJob {
    Job job;
    const Rerun* rerun{nullptr};
    bool dispatched_again{false};
};

bool concerns(const Rerun& rerun, const Job& job) {
    const bool red = job.conclusion && is_red(*job.conclusion);
    return rerun.state != RerunState::refused &&
           (rerun.run_id.empty() || rerun.run_id == job.key.run_id) &&
           (rerun.scope == RerunScope::all || red) && job.completed_at &&
           *job.completed_at <= rerun.created_at;
}

/// The newest word about each job of a downstream, whichever generation said it.
std::map<std::string, ShownJob> shown_jobs(const DownstreamFacts& of, const Scene& scene) {
    const auto state = of.part.run.dispatch.state;
    const bool awaited =
        !of.part.run.silent_at && (state == DispatchState::pending ||
                                   state == DispatchState::sent || state == DispatchState::started);
    std::map<std::string, ShownJob> shown;
    for (const auto& run : of.earlier | std::views::reverse) {
        for (auto& job : standing_jobs(run)) {
            auto name = check_name(scene.rules.prefix, job);
            shown[std::move(name)] = {.job = std::move(job), .dispatched_again = awaited};
        }
    }
    for (auto& job : standing_jobs(of.part.run)) {
        auto name = check_name(scene.rules.prefix, job);
        shown[std::move(name)] = {.job = std::move(job)};
    }
    for (auto& [name, one] : shown) {
        for (const auto& rerun : of.part.reruns) {
            if (concerns(rerun, one.job) && scene.now < rerun.created_at + scene.rules.gate.start) {
                one.rerun = &rerun;
            }
        }
    }
    return shown;
}

/// What has ended stands, whatever became of its commit.
Overtaken overtaken_of(const ShownJob& shown, const Downstream& downstream, const Scene& scene) {
    if (!scene.is_shown(downstream)) {
        return Overtaken::unlabelled;
    }
    if (scene.overtaken() != Overtaken::no) {
        return has_ended(shown.job) ? Overtaken::no : scene.overtaken();
    }
    const bool again = shown.rerun != nullptr || shown.dispatched_again;
    return again ? Overtaken::rerun_asked : Overtaken::no;
}

/// What a check of a job says; how the job stands against how the pull request does.
Check check_of_job(const ShownJob& shown, const Downstream& downstream, const Scene& scene) {
    const auto& job = shown.job;
    const auto& subject = scene.facts.subject;
    const auto overtaken = overtaken_of(shown, downstream, scene);
    Check check;
    check.name = check_name(scene.rules.prefix, job);
    check.external_id = fmt::format(
        "{}:{}", job.key.run_id, static_cast<std::int64_t>(subject.pr.value_or(PrNumber{}))
    );
    check.details_url = job.url;
    check.started_at = job.started_at;
    const auto concluded = [&](Conclusion conclusion) {
        check.status = CheckStatus::completed;
        check.conclusion = conclusion;
        check.completed_at = job.completed_at ? job.completed_at : job.started_at;
    };
    switch (overtaken) {
    case Overtaken::no:
        if (has_ended(job)) {
            concluded(*job.conclusion);
        } else {
            check.status = CheckStatus::in_progress;
        }
        break;
    case Overtaken::newer_commit:
    case Overtaken::closed:
        concluded(Conclusion::cancelled);
        break;
    case Overtaken::unlabelled:
        concluded(Conclusion::neutral);
        break;
    case Overtaken::rerun_asked:
        check.status = CheckStatus::queued;
        check.started_at = std::nullopt;
        break;
    }
    const auto detail = scene.facts.details.find(job.id);
    auto text = text_of_job({
        .job = job,
        .subject = subject,
        .detail = detail == scene.facts.details.end() ? nullptr : &detail->second,
        .oncalls = downstream.oncalls,
        .page = scene.rules.page,
        .overtaken = overtaken,
        .newer = scene.newer(),
        .who = shown.rerun == nullptr ? std::string_view{} : shown.rerun->actor,
    });
    check.title = std::move(text.title);
    check.summary = std::move(text.summary);
    return check;
}

bool stands(const CheckFacts& facts, std::string_view name) {
    return std::ranges::any_of(facts.standing, [&](const Check& check) {
        return check.name == name;
    });
}

void want_job_checks(Wanted& wanted, const Scene& scene) {
    for (const auto& one : scene.facts.downstreams) {
        const auto& downstream = one.part.downstream;
        const bool shown_at_all = scene.is_shown(downstream);
        for (const auto& [name, shown] : shown_jobs(one, scene)) {
            if (shown_at_all || stands(scene.facts, name)) {
                wanted.checks.push_back(check_of_job(shown, downstream, scene));
            }
            if (shown.rerun != nullptr) {
                sooner(wanted.look_at, shown.rerun->created_at + scene.rules.gate.start);
            }
        }
    }
}

std::string gate_name(const CheckRules& rules) {
    return rules.prefix + "/gate";
}

/// What was shown for somebody who is no longer listed high enough must not stay open for ever.
void end_orphans(Wanted& wanted, const Scene& scene) {
    std::set<std::string> names{gate_name(scene.rules)};
    for (const auto& check : wanted.checks) {
        names.insert(check.name);
    }
    for (auto check : scene.facts.standing) {
        if (names.contains(check.name) || check.status == CheckStatus::completed) {
            continue;
        }
        check.status = CheckStatus::completed;
        check.conclusion = Conclusion::neutral;
        check.completed_at = check.started_at ? check.started_at : scene.facts.first_at;
        check.title = "No longer shown: the downstream's level changed";
        check.summary = "The downstream is not at level 3 or 4 any more, so its results do "
                        "not stand on pull requests. They are still on the HUD when it reports.";
        wanted.checks.push_back(std::move(check));
    }
}

/// On a commit that nobody waits for, silence decides nothing: what stands there in the end must
/// not depend on when it was looked at.
std::vector<GatePart> parts_of(const Scene& scene) {
    auto rules = scene.rules.gate;
    if (scene.overtaken() != Overtaken::no) {
        rules.start = rules.run = std::chrono::duration_cast<Millis>(kForEver);
    }
    std::vector<GatePart> parts;
    for (const auto& one : scene.facts.downstreams) {
        if (policy_of(one.part.downstream.level).block_pr && one.dispatched) {
            parts.push_back(part_of(one.part, rules, scene.now));
        }
    }
    return parts;
}

void want_gate(Wanted& wanted, const std::vector<GatePart>& parts, const Scene& scene) {
    const auto planned_by = scene.facts.first_at + scene.rules.gate.start;
    const bool unplanned = scene.facts.awaits_plan && scene.now < planned_by;
    const bool waited_for = scene.overtaken() == Overtaken::no;
    const bool decided = !unplanned && std::ranges::all_of(parts, [&](const GatePart& part) {
        return is_decided(part.state) && (waited_for || part.state != PartState::neutral);
    });
    const bool red = std::ranges::any_of(parts, [](const GatePart& part) {
        return part.state == PartState::failed;
    });
    const auto overtaken = decided || red ? Overtaken::no : scene.overtaken();
    Check gate;
    gate.name = gate_name(scene.rules);
    gate.external_id = fmt::format(
        "gate:{}", static_cast<std::int64_t>(scene.facts.subject.pr.value_or(PrNumber{}))
    );
    gate.details_url = page_of(scene.facts.subject, scene.rules.page);
    gate.started_at = scene.facts.first_at;
    auto last = scene.facts.first_at;
    for (const auto& part : parts) {
        last = std::max(last, part.since);
        const bool ends_soon = part.state == PartState::settling;
        if (overtaken == Overtaken::no || ends_soon) {
            sooner(wanted.look_at, part.until);
        }
        // The base branch may still turn out to be as red.
        if (part.state == PartState::failed && scene.overtaken() == Overtaken::no &&
            scene.now < part.since + scene.rules.gate.start) {
            sooner(wanted.look_at, scene.now + kLookAtBase);
        }
    }
    if (unplanned && overtaken == Overtaken::no) {
        sooner(wanted.look_at, planned_by);
    }
    if (decided || red || overtaken != Overtaken::no) {
        gate.status = CheckStatus::completed;
        gate.completed_at = last;
        gate.conclusion = red       ? Conclusion::failure
                          : decided ? Conclusion::success
                                    : Conclusion::cancelled;
    } else {
        const bool begun = std::ranges::any_of(parts, [](const GatePart& part) {
            return part.state != PartState::waiting;
        });
        gate.status = begun ? CheckStatus::in_progress : CheckStatus::queued;
    }
    auto text = text_of_gate({
        .parts = parts,
        .subject = scene.facts.subject,
        .page = scene.rules.page,
        .overtaken = overtaken,
        .newer = scene.newer(),
        .prefix = scene.rules.prefix,
        .standing = {},
    });
    gate.title =
        unplanned && parts.empty() ? "Waiting to learn who is asked" : std::move(text.title);
    gate.summary = std::move(text.summary);
    wanted.checks.push_back(std::move(gate));
}

/// What the infrastructure lost is run again by itself, as often as the rules say.
void want_reruns(Wanted& wanted, const std::vector<GatePart>& parts, const Scene& scene) {
    if (scene.overtaken() != Overtaken::no) {
        return;
    }
    for (const auto& one : scene.facts.downstreams) {
        const auto part = std::ranges::find(parts, one.part.downstream.repo, &GatePart::downstream);
        const auto retried = std::ranges::count_if(one.part.reruns, [](const Rerun& rerun) {
            return rerun.cause == RerunCause::infrastructure;
        });
        if (part == parts.end() || !part->lost) {
            continue;
        }
        std::set<std::string> runs;
        for (const auto& job : part->failing) {
            runs.insert(job.key.run_id);
        }
        for (const auto& run_id : runs) {
            wanted.reruns.push_back({
                .key = fmt::format(
                    "lost/{}/{}/{}",
                    static_cast<std::int64_t>(one.part.run.dispatch.id),
                    run_id,
                    retried + 1
                ),
                .subject = scene.facts.subject,
                .downstream = one.part.downstream.repo,
                .run_id = run_id,
                .scope = RerunScope::failed,
                .cause = RerunCause::infrastructure,
                .actor = "baton",
            });
        }
    }
}

} // namespace

std::string check_name(std::string_view prefix, const Job& job) {
    const auto name = fmt::format("{}/{}/{}", prefix, job.subject.downstream.text(), label_of(job));
    auto plain = inert(name); // a stranger's words
    if (plain == name && name.size() <= kCheckNameMax) {
        return name;
    }
    const auto mark = fmt::format("~{:08x}", fingerprint(name));
    return std::string(cut_to(plain, kCheckNameMax - mark.size())) + mark;
}

Wanted checks_wanted(const CheckFacts& facts, const CheckRules& rules, TimePoint now) {
    const Scene scene{.facts = facts, .rules = rules, .now = now};
    Wanted wanted;
    want_job_checks(wanted, scene);
    end_orphans(wanted, scene);
    const auto parts = parts_of(scene);
    if (facts.gated || rules.gate_always || stands(facts, gate_name(rules))) {
        want_gate(wanted, parts, scene);
    }
    want_reruns(wanted, parts, scene);
    if (rules.comment && facts.pull_request && facts.pull_request->head == facts.subject.head) {
        wanted.comment = text_of_comment({
            .parts = parts,
            .subject = facts.subject,
            .page = rules.page,
            .overtaken = scene.overtaken(),
            .newer = scene.newer(),
            .prefix = rules.prefix,
            .standing = facts.comment,
        });
    }
    return wanted;
}

} // namespace baton::domain
