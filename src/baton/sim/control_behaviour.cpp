#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/net/url.hpp"
#include "baton/sim/api_limits.hpp"
#include "baton/sim/control_args.hpp"
#include "baton/sim/control_calls.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/sim_world.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace baton::sim {

namespace json = boost::json;

namespace {

struct FaultKind {
    std::string_view name;
    Fault::Ending ending;
    bool perform;
};

constexpr FaultKind kFaultKinds[] = {
    {.name = "delay", .ending = Fault::Ending::answer, .perform = true},
    {.name = "status", .ending = Fault::Ending::status, .perform = false},
    {.name = "throttle", .ending = Fault::Ending::status, .perform = false},
    {.name = "reset", .ending = Fault::Ending::reset, .perform = false},
    {.name = "lost_reply", .ending = Fault::Ending::reset, .perform = true},
    {.name = "cut_body", .ending = Fault::Ending::reset, .perform = true},
    {.name = "drop", .ending = Fault::Ending::drop, .perform = false},
    {.name = "unreachable", .ending = Fault::Ending::unreachable, .perform = false},
};

Result<Fault> fault_in(const ControlArgs& args) {
    BATON_TRY(const auto name, args.text("kind"));
    const auto* const kind = std::ranges::find(kFaultKinds, name, &FaultKind::name);
    if (kind == std::end(kFaultKinds)) {
        return fail(
            Errc::invalid,
            "\"kind\" must be delay, status, throttle, reset, lost_reply, cut_body, drop or "
            "unreachable"
        );
    }
    BATON_TRY(const auto wait, args.number("retry_after_s", 60));
    auto fault = name == "throttle" ? Fault::secondary_limit(std::chrono::seconds{wait}) : Fault{};
    fault.ending = kind->ending;
    fault.mid_body = name == "cut_body";
    BATON_TRY(fault.perform, args.flag("perform", kind->perform));
    BATON_TRY(const auto delay, args.number("delay_ms"));
    fault.delay = Millis{delay};
    if (name == "status") {
        BATON_TRY(const auto status, args.number("status", 502));
        if (status < 200 || status > 599) {
            return fail(Errc::invalid, "\"status\" must be from 200 to 599");
        }
        fault.status = static_cast<int>(status);
        BATON_TRY(fault.message, args.text("message", "Server Error"));
        if (args.has("retry_after_s")) {
            fault.retry_after = std::chrono::seconds{wait};
        }
    }
    return fault;
}

} // namespace

ControlResult add_fault(SimWorld& world, const ControlArgs& args, TimePoint /*now*/) {
    FaultRule rule;
    BATON_TRY(rule.route, args.text("route"));
    if (args.has("repo")) {
        BATON_TRY(const auto repo, args.repo());
        rule.repo = repo;
    }
    BATON_TRY(rule.fault, fault_in(args));
    BATON_TRY(rule.probability, args.ratio("probability", 1.0));
    if (args.has("times")) {
        BATON_TRY(const auto times, args.number("times"));
        rule.times = static_cast<std::size_t>(std::max<std::int64_t>(times, 0));
    }
    return json::object{{"id", world.faults.add(std::move(rule))}};
}

ControlResult list_faults(SimWorld& world, const ControlArgs& /*args*/, TimePoint /*now*/) {
    json::array out;
    for (const auto& [id, entry] : world.faults.rules()) {
        out.push_back(json::object{
            {"id", id},
            {"route", entry.rule.route},
            {"repo", entry.rule.repo ? entry.rule.repo->text() : ""},
            {"fired", entry.fired},
        });
    }
    return json::object{{"faults", std::move(out)}};
}

ControlResult clear_faults(SimWorld& world, const ControlArgs& /*args*/, TimePoint /*now*/) {
    world.faults.clear();
    return json::object{};
}

ControlResult set_limits(SimWorld& world, const ControlArgs& args, TimePoint /*now*/) {
    BATON_TRY(const auto published, args.flag("published", false));
    auto rules = published ? LimitRules::published() : world.limits.rules();
    std::optional<std::int64_t> per_hour;
    if (published) {
        per_hour = kCallsPerHour;
    }
    const std::pair<std::string_view, std::optional<std::int64_t>*> numbers[] = {
        {"per_hour", &per_hour},
        {"concurrent", &rules.concurrent},
        {"points_per_minute", &rules.points_per_minute},
        {"content_per_minute", &rules.content_per_minute},
        {"content_per_hour", &rules.content_per_hour},
    };
    for (const auto& [name, number] : numbers) {
        if (args.has(name)) {
            BATON_TRY(const auto wanted, args.number(name));
            if (wanted < 1) {
                return fail(Errc::invalid, fmt::format("\"{}\" must be at least 1", name));
            }
            *number = wanted;
        }
    }
    if (args.has("content_routes")) {
        BATON_TRY(const auto routes, args.texts("content_routes"));
        rules.content_routes = {routes.begin(), routes.end()};
    }
    BATON_TRY(const auto status, args.number("status", rules.status));
    if (status != 403 && status != 429) {
        return fail(Errc::invalid, "\"status\" must be 403 or 429");
    }
    rules.status = static_cast<int>(status);
    world.limits.use(std::move(rules));
    if (per_hour) {
        world.model.set_calls_per_hour(*per_hour);
    }
    return json::object{};
}

ControlResult clear_limits(SimWorld& world, const ControlArgs& /*args*/, TimePoint /*now*/) {
    world.limits.reset();
    world.model.set_calls_per_hour(RateLimit{}.limit);
    return json::object{};
}

ControlResult set_rate_limit(SimWorld& world, const ControlArgs& args, TimePoint now) {
    BATON_TRY(const auto name, args.repo());
    const auto* const repo = world.model.repo(name);
    if (repo == nullptr) {
        return fail(Errc::not_found, fmt::format("no repository {}", name.text()));
    }
    auto& limit = world.model.rate_limit(world.model.installation_of(*repo), now);
    BATON_TRY(limit.limit, args.number("limit", limit.limit));
    BATON_TRY(const auto remaining, args.number("remaining", limit.remaining()));
    BATON_TRY(const auto seconds, args.number("reset_in_s", 3600));
    limit.used = limit.limit - std::clamp<std::int64_t>(remaining, 0, limit.limit);
    limit.reset_at = now + std::chrono::seconds{seconds};
    return json::object{{"remaining", limit.remaining()}};
}

ControlResult set_webhooks(SimWorld& world, const ControlArgs& args, TimePoint /*now*/) {
    auto mischief = world.outbox.mischief();
    BATON_TRY(mischief.paused, args.flag("paused", mischief.paused));
    BATON_TRY(mischief.duplicate, args.ratio("duplicate", mischief.duplicate));
    BATON_TRY(mischief.lose, args.ratio("lose", mischief.lose));
    BATON_TRY(mischief.reorder, args.ratio("reorder", mischief.reorder));
    BATON_TRY(auto url, args.text("url", world.target.url));
    BATON_TRY(auto secret, args.text("secret", world.target.secret));
    if (!url.empty()) {
        BATON_TRY(const auto checked, net::parse_url(url));
    }
    world.outbox.set(mischief);
    world.target = {.url = std::move(url), .secret = std::move(secret)};
    return json::object{};
}

ControlResult redeliver(SimWorld& world, const ControlArgs& args, TimePoint /*now*/) {
    BATON_TRY(auto text, args.text("delivery"));
    DeliveryId id(std::move(text));
    if (!world.model.hooks().webhook(id)) {
        return fail(Errc::not_found, fmt::format("no delivery {}", id.text()));
    }
    world.outbox.put(std::move(id), true);
    return json::object{};
}

} // namespace baton::sim
