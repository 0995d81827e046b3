#include "baton/api/hud_json.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/overview.hpp"
#include "baton/hud/window.hpp"
#include "baton/ports/operators.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace baton::api {

namespace json = boost::json;

namespace {

json::object relay_json(const hud::RelayState& relay, const hud::RelayFigures& figures) {
    json::array parts;
    bool ready = true;
    for (const auto& [name, trouble] : relay.parts) {
        ready = ready && trouble.empty();
        parts.push_back(
            json::object{{"name", name}, {"ready", trouble.empty()}, {"trouble", trouble}}
        );
    }
    std::size_t refused = 0;
    for (const auto& total : figures.refused) {
        refused += total.count;
    }
    using State = domain::DispatchState;
    return {
        {"ready", ready},
        {"mode", relay.mode},
        {"version", relay.version},
        {"started_at", to_rfc3339(relay.started_at)},
        {"parts", std::move(parts)},
        {"deliveries", figures.counts.deliveries},
        {"to_plan", figures.counts.to_plan},
        {"pending", hud::dispatches_in(figures.counts, State::pending)},
        {"oldest_pending", json_of(figures.counts.oldest_pending)},
        {"dead", figures.given_up},
        {"unknown_outcomes", figures.counts.unknown_outcomes},
        {"running_jobs", figures.results.in_progress},
        {"checks_waiting", figures.checks.waiting},
        {"letters_waiting", figures.results.outbox_waiting},
        {"dead_letters", figures.results.dead_letters},
        {"last_delivery_at", json_of(figures.last_delivery_at)},
        {"refused_last_hour", refused},
        {"actions", relay.actions},
    };
}

json::value acknowledgement_json(const std::optional<ports::Acknowledgement>& known) {
    if (!known) {
        return nullptr;
    }
    return json::object{
        {"by", known->actor},
        {"at", to_rfc3339(known->at)},
        {"until", to_rfc3339(known->until)},
        {"reason", known->reason},
    };
}

json::object attention_json(const hud::Attention& attention) {
    return {
        {"kind", attention.kind},
        {"severity", hud::name_of(attention.severity)},
        {"text", attention.text},
        {"subject", attention.subject},
        {"page", attention.page},
        {"since", json_of(attention.since)},
        {"key", attention.key},
        {"acknowledged", acknowledgement_json(attention.acknowledged)},
    };
}

} // namespace

std::string safe_link(const std::string& url) {
    const bool followed = url.starts_with("https://") || url.starts_with("http://");
    return followed ? url : "";
}

json::value json_of(std::optional<TimePoint> when) {
    return when ? json::value(to_rfc3339(*when)) : json::value(nullptr);
}

json::value json_of(std::optional<Millis> span) {
    return span ? json::value(span->count()) : json::value(nullptr);
}

json::value json_of(std::optional<double> number) {
    return number ? json::value(*number) : json::value(nullptr);
}

std::string date_of(TimePoint day) {
    return to_rfc3339(day).substr(0, std::size("2026-11-15") - 1);
}

json::object json_of(const domain::Rate& rate) {
    return {
        {"value", json_of(rate.value)},
        {"n", rate.n},
        {"low", json_of(rate.low)},
        {"high", json_of(rate.high)},
        {"few", rate.few()},
    };
}

json::object json_of(const domain::Rates& rates) {
    return {
        {"final", json_of(rates.final_attempt)},
        {"first_attempt", json_of(rates.first_attempt)},
        {"compat", json_of(rates.compat)},
        {"adjusted", json_of(rates.adjusted)},
    };
}

json::object json_of(const domain::Spread& spread) {
    return {
        {"n", spread.n},
        {"p50_ms", json_of(spread.p50)},
        {"p90_ms", json_of(spread.p90)},
        {"p95_ms", json_of(spread.p95)},
        {"p99_ms", json_of(spread.p99)},
    };
}

json::object json_of(const domain::Cells& cells) {
    return {
        {"success", cells.success},
        {"flaky", cells.flaky},
        {"failure", cells.failure},
        {"timed_out", cells.timed_out},
        {"no_signal", cells.no_signal},
    };
}

json::object json_of(const domain::TestCounts& tests) {
    return {
        {"passed", tests.passed},
        {"failed", tests.failed},
        {"skipped", tests.skipped},
        {"total", tests.total},
    };
}

json::object json_of(const ports::DayView& day) {
    return {
        {"day", date_of(day.day)},
        {"cells", json_of(day.ended.cells)},
        {"rate", json_of(domain::rates_of(day.ended).final_attempt)},
        {"silent", day.silent},
    };
}

json::object json_of(const hud::Window& window) {
    return {
        {"name", window.name},
        {"from", to_rfc3339(window.days.from)},
        {"until", to_rfc3339(window.days.until)},
    };
}

void put_levels(
    json::object& object, domain::Level effective, std::optional<domain::Level> lowered_from
) {
    object["level"] = domain::name_of(lowered_from.value_or(effective));
    if (lowered_from) {
        object["effective_level"] = domain::name_of(effective);
    }
}

json::object json_of(const hud::DownstreamLine& line) {
    const auto paused = line.listed.pause ? std::optional(line.listed.pause->until) : std::nullopt;
    json::object written{
        {"upstream", line.upstream.text()},
        {"repo", line.listed.repo.text()},
        {"device", line.listed.device},
        {"gate", hud::name_of(line.gate)},
        {"blocking_unknown", hud::is_blocking_unknown(line)},
        {"gate_rule", line.gate_rule},
        {"paused_until", json_of(paused)},
        {"suspended", line.suspended},
        {"held", line.held},
        {"rates", json_of(domain::rates_of(line.ended))},
        {"cells", json_of(line.ended.cells)},
        {"silent", line.silent},
        {"pending", line.pending},
        {"running", line.running},
        {"last_result_at", json_of(line.last_result_at)},
        {"last_sent_at", json_of(line.last_sent_at)},
        {"trouble", line.trouble},
    };
    put_levels(written, line.listed.level, line.listed.lowered_from);
    return written;
}

json::object json_of(const hud::Overview& overview) {
    json::array upstreams;
    for (const auto& upstream : overview.upstreams) {
        upstreams.emplace_back(upstream.text());
    }
    return {
        {"window", json_of(overview.window)},
        {"relay", relay_json(overview.relay, overview.figures)},
        {"attention", array_of(overview.attention, attention_json)},
        {"downstreams", array_of(overview.downstreams)},
        {"upstreams", std::move(upstreams)},
    };
}

json::object json_of(const domain::Job& job) {
    return {
        {"id", static_cast<std::int64_t>(job.id)},
        {"workflow", job.key.workflow},
        {"job", job.key.job},
        {"run_id", job.key.run_id},
        {"attempt", job.key.attempt},
        {"status", domain::name_of(job.status)},
        {"conclusion",
         job.conclusion ? json::value(domain::name_of(*job.conclusion)) : json::value(nullptr)},
        {"said_by", job.said_by == domain::SaidBy::relay ? "relay" : "downstream"},
        {"counts", job.counts},
        {"url", safe_link(job.url)},
        {"tests", job.tests ? json::value(json_of(*job.tests)) : json::value(nullptr)},
        {"dispatched_at", json_of(job.dispatched_at)},
        {"started_at", json_of(job.started_at)},
        {"completed_at", json_of(job.completed_at)},
        {"queue_ms", json_of(job.queue)},
        {"run_ms", json_of(domain::execution_of(job))},
        {"skewed", domain::is_skewed(job)},
    };
}

} // namespace baton::api
