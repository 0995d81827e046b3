#include "baton/domain/breaker.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/breaker_evidence.hpp"
#include "baton/domain/gate.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

using Signs = std::vector<Sign>; // newest first
using Verdict = std::optional<BreakerVerdict>;

Signs signs_of(const BreakerFacts& facts, const BreakerRules& rules, TimePoint now) {
    Signs signs;
    for (const auto& seen : facts.recent) {
        signs.push_back(sign_of(seen, rules, now));
    }
    return signs;
}

bool is_enough(std::size_t found, int needed) {
    return needed > 0 && found >= static_cast<std::size_t>(needed);
}

BreakerVerdict suspended(std::string reason, std::string evidence) {
    return {
        .move = BreakerVerdict::Move::suspend,
        .reason = std::move(reason),
        .evidence = std::move(evidence),
        .look_at = std::nullopt,
    };
}

/// Runs that nobody started, since the last one that somebody did. A start also speaks against a
/// silence that was known before it, whichever was sent first.
Verdict judge_silence(const Signs& signs, const BreakerRules& rules) {
    TimePoint last_start{};
    for (const auto& sign : signs) {
        last_start = std::max(last_start, sign.last_start);
    }
    Signs row;
    for (const auto& sign : signs) {
        if (sign.started) {
            break;
        }
        if (sign.silent && sign.at > last_start) {
            row.push_back(sign);
        }
    }
    if (!is_enough(row.size(), rules.silent)) {
        return std::nullopt;
    }
    return suspended(
        fmt::format(
            "{} runs in a row did not start within {}", row.size(), baton::to_text(rules.start)
        ),
        evidence_text(
            "silent", {{"needed", rules.silent}, {"start_limit_ms", rules.start.count()}}, row
        )
    );
}

Verdict judge_time_outs(const Signs& signs, const BreakerRules& rules) {
    Signs row;
    for (const auto& sign : signs) {
        if (sign.trusted && (sign.red || sign.clean) && !sign.timed_out) {
            break;
        }
        if (sign.trusted && sign.timed_out) {
            row.push_back(sign);
        }
    }
    if (!is_enough(row.size(), rules.timed_out)) {
        return std::nullopt;
    }
    return suspended(
        fmt::format("{} runs in a row timed out", row.size()),
        evidence_text(
            "timed_out", {{"needed", rules.timed_out}, {"run_limit_ms", rules.run.count()}}, row
        )
    );
}

/// What has ended and counts, up to where so many clean runs in a row wipe the slate as they do
/// after a suspension: else what is older would suspend it again.
Signs ends_since_it_was_well(const Signs& signs, const BreakerRules& rules) {
    Signs ends;
    std::size_t clean = 0;
    for (const auto& sign : signs) {
        if (!sign.trusted || (!sign.red && !sign.clean)) {
            continue;
        }
        clean = sign.clean ? clean + 1 : 0;
        if (is_enough(clean, rules.clean)) {
            break;
        }
        ends.push_back(sign);
    }
    return ends;
}

bool is_canary(const Sign& sign) {
    return sign.seen->run.dispatch.event_type == kCanaryEvent;
}

/// The newest red end of each pull request whose newest end is red, one for each author.
Signs red_pull_requests(const Signs& ends) {
    Signs found;
    std::set<PrNumber> seen;
    std::set<std::string> authors;
    for (const auto& end : ends) {
        const auto pr = end.seen->run.dispatch.pr;
        if (!pr || !seen.insert(*pr).second || !end.red) {
            continue;
        }
        if (authors.insert(lower(end.seen->author.text())).second) {
            found.push_back(end);
        }
    }
    return found;
}

bool is_of_base(const Sign& sign, std::string_view base_ref) {
    const auto& dispatch = sign.seen->run.dispatch;
    return !dispatch.pr && !base_ref.empty() && dispatch.ref == base_ref;
}

/// What is wrong with the base branch itself, or null: the newest word of a push to it or of a
/// canary, which is sent its head, has to be red. A push says more than a canary.
const Sign* red_base(const Signs& ends, std::string_view base_ref) {
    const auto tells = [&](const Sign& end) { return is_canary(end) || is_of_base(end, base_ref); };
    const auto newest = std::ranges::find_if(ends, tells);
    if (newest == ends.end() || !newest->red) {
        return nullptr;
    }
    const auto push =
        std::ranges::find_if(ends, [&](const Sign& end) { return is_of_base(end, base_ref); });
    return push != ends.end() && push->red ? &*push : &*newest;
}

/// Red in the same job: what is red for another reason says nothing.
bool share_a_red_job(const Sign& one, const Sign& other) {
    const auto jobs = standing_jobs(other.seen->run);
    return std::ranges::any_of(standing_jobs(one.seen->run), [&](const Job& job) {
        return is_red(job) && std::ranges::any_of(jobs, [&](const Job& same) {
                   return is_red(same) && label_of(same) == label_of(job);
               });
    });
}

Verdict judge_red(const BreakerFacts& facts, const Signs& signs, const BreakerRules& rules) {
    const auto ends = ends_since_it_was_well(signs, rules);
    auto red = red_pull_requests(ends);
    for (const auto& sign : red) {
        const auto& own = sign.seen->run.dispatch.ref; // whoever opens one chooses its base
        const auto ref = own.empty() ? facts.base_ref : own;
        const auto* push = red_base(ends, ref);
        if (push != nullptr && !is_canary(*push) && share_a_red_job(*push, sign)) {
            const auto pr = static_cast<std::int64_t>(*sign.seen->run.dispatch.pr);
            return suspended(
                fmt::format("it is red on {} and on pull request {}", inert(ref), pr),
                evidence_text("red_on_base", {{"needed", 1}}, {*push, sign})
            );
        }
    }
    const auto* base = red_base(ends, "");
    if (base == nullptr || !is_enough(red.size(), rules.pull_requests)) {
        return std::nullopt;
    }
    const auto count = red.size();
    red.insert(red.begin(), *base);
    return suspended(
        fmt::format(
            "it is red on pull requests of {} people with write access and on the newest canary",
            count
        ),
        evidence_text("red_on_canary", {{"needed", rules.pull_requests}}, red)
    );
}

BreakerVerdict
judge_return(const Signs& signs, const BreakerRules& rules, const GateSuspension& suspension) {
    Signs row;
    for (const auto& sign : signs) {
        const bool before = sign.clean && sign.began < suspension.since;
        if (sign.silent || (sign.trusted && (sign.timed_out || sign.red || before))) {
            break;
        }
        if (sign.clean && sign.trusted) {
            row.push_back(sign);
        }
    }
    if (!is_enough(row.size(), rules.clean)) {
        return {};
    }
    return {
        .move = BreakerVerdict::Move::resume,
        .reason = fmt::format("{} clean runs in a row since the suspension", row.size()),
        .evidence = evidence_text("clean", {{"needed", rules.clean}}, row),
        .look_at = std::nullopt,
    };
}

std::optional<TimePoint> next_due(const Signs& signs) {
    std::optional<TimePoint> next;
    for (const auto& sign : signs) {
        if (sign.due_at && (!next || *sign.due_at < *next)) {
            next = sign.due_at;
        }
    }
    return next;
}

/// Evidence that was judged before somebody lifted the last suspension is spent.
Signs unspent(Signs signs, std::optional<TimePoint> resumed_at) {
    if (resumed_at) {
        std::erase_if(signs, [&](const Sign& sign) {
            return !sign.due_at && sign.at <= *resumed_at;
        });
    }
    return signs;
}

} // namespace

bool author_matters(const Run& run, bool suspended) {
    return run.dispatch.pr && std::ranges::any_of(standing_jobs(run), [&](const Job& job) {
               return suspended || (job.conclusion && is_red(*job.conclusion));
           });
}

BreakerVerdict judge_breaker(const BreakerFacts& facts, const BreakerRules& rules, TimePoint now) {
    if (facts.paused || (facts.suspension && facts.suspension->by_hand)) {
        return {};
    }
    const auto signs = unspent(signs_of(facts, rules, now), facts.resumed_at);
    if (facts.suspension) {
        return judge_return(signs, rules, *facts.suspension);
    }
    for (const auto& verdict :
         {judge_silence(signs, rules), judge_time_outs(signs, rules), judge_red(facts, signs, rules)
         }) {
        if (verdict) {
            return *verdict;
        }
    }
    return {
        .move = BreakerVerdict::Move::none, .reason = "", .evidence = "", .look_at = next_due(signs)
    };
}

} // namespace baton::domain
