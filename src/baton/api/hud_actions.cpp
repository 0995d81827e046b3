// What people do. Each asks who it is, does one thing in one transaction with its line in the
// ledger, and says what happened; done twice it changes nothing.

#include "baton/api/action_body.hpp"
#include "baton/api/actors.hpp"
#include "baton/api/hud_order.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/api/problem.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/hud/window.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::api {

namespace asio = boost::asio;
namespace json = boost::json;

namespace {

constexpr std::size_t kReasonMax = 500;

/// Who acts and why, by the token and the body.
Result<ports::ActedBy> acted_by(const Actor& actor, const ActionBody& body, TimePoint now) {
    BATON_TRY(const auto name, body.text_if("name", kNameMax));
    BATON_TRY(auto reason, body.text("reason", kReasonMax));
    return ports::ActedBy{
        .actor = name.empty() ? actor.name : fmt::format("{} for {}", actor.name, inert(name)),
        .reason = std::move(reason),
        .now = now,
    };
}

// --- re-runs

/// Why it cannot be run again now; empty: it can.
std::string obstacle(const hud::DownstreamLine& line, TimePoint now) {
    if (line.suspended) {
        return "it is suspended: resume it first";
    }
    if (domain::is_paused(line.listed, now)) {
        return fmt::format("it is {}", domain::to_text(*line.listed.pause));
    }
    if (!domain::policy_of(line.listed.level).display_on_hud) {
        return fmt::format(
            "at {} it reports nothing that could be run again", domain::name_of(line.listed.level)
        );
    }
    return "";
}

Answer rerun(Order order) {
    const auto& around = order.around;
    const HudQuery query(order.request);
    BATON_CO_TRY(auto upstream, query.captured_repo(0));
    BATON_CO_TRY(const auto number, query.captured_number(2));
    BATON_CO_TRY(auto downstream, order.body.repository("downstream"));
    BATON_CO_TRY(const auto scope_name, order.body.text_if("scope", kNameMax));
    const auto scope = domain::rerun_scope_named(scope_name.empty() ? "failed" : scope_name);
    if (!scope) {
        co_return fail(Errc::invalid, "/scope: expected failed or all");
    }
    if (around->shadow) {
        co_return fail(Errc::forbidden, "this relay is a shadow: it runs nothing again");
    }
    ports::PullRequestQuery about{.upstream = upstream, .number = PrNumber{number}};
    BATON_CO_TRY(const auto pull, co_await around->store.pull_request(std::move(about)));
    if (!pull) {
        co_return fail(Errc::not_found, fmt::format("{}#{} is not known", upstream.text(), number));
    }
    if (!pull->open) {
        co_return fail(Errc::conflict, "the pull request is closed");
    }
    const auto window = hud::window_named("1d", order.by.now);
    BATON_CO_TRY(const auto line, co_await around->desk.line(downstream, upstream, window->days));
    if (auto why = obstacle(line, order.by.now); !why.empty()) {
        co_return fail(Errc::conflict, fmt::format("{}: {}", downstream.text(), why));
    }
    const domain::Subject subject{.upstream = upstream, .pr = PrNumber{number}, .head = pull->head};
    BATON_CO_TRY(const auto before, co_await around->store.reruns_of(subject));
    const auto over = std::ranges::count_if(before, [&](const domain::Rerun& one) {
        return one.downstream == downstream && one.state != domain::RerunState::waiting;
    });
    domain::NewRerun wanted{
        // While one waits, another is the same one.
        .key = fmt::format(
            "api/{}#{}@{}/{}/{}/{}",
            upstream.key(),
            number,
            pull->head.text(),
            downstream.key(),
            domain::name_of(*scope),
            over
        ),
        .subject = subject,
        .downstream = downstream,
        .run_id = "",
        .scope = *scope,
        .cause = domain::RerunCause::person,
        .actor = order.by.actor,
    };
    BATON_CO_TRY(
        const auto fresh,
        co_await around->operators.order_rerun(std::move(wanted), std::move(order.by))
    );
    around->wake();
    co_return acted(
        fresh,
        fresh ? fmt::format("{} is asked to run again", downstream.text())
              : fmt::format("{} is being asked to run again already", downstream.text())
    );
}

// --- suspensions

/// The listed downstream that the path names, and the upstream of the body. not_found.
Result<domain::Pairing> pairing_of(const Order& order) {
    BATON_TRY(const auto downstream, HudQuery(order.request).captured_repo(0));
    BATON_TRY(const auto upstream, order.body.repository_if("upstream"));
    BATON_TRY(auto pairing, order.around->desk.listed(downstream, upstream));
    pairing.upstream = upstream.value_or(RepoName{});
    return pairing;
}

Answer suspend(Order order) {
    BATON_CO_TRY(const auto pairing, pairing_of(order));
    BATON_CO_TRY(const auto until, order.body.time_if("until"));
    if (until && *until <= order.by.now) {
        co_return fail(Errc::invalid, "/until: expected a time to come");
    }
    domain::Suspension suspension{
        .downstream = pairing.downstream,
        .upstream = pairing.upstream,
        .since = order.by.now,
        .until = until,
        .reason = order.by.reason,
        .actor = order.by.actor,
    };
    BATON_CO_TRY(const auto known, co_await order.around->store.suspensions(order.by.now));
    const bool same = std::ranges::any_of(known, [&](const domain::Suspension& one) {
        return one.downstream == suspension.downstream && one.upstream == suspension.upstream &&
               one.until == suspension.until && one.reason == suspension.reason;
    });
    if (same) {
        co_return acted(
            false, fmt::format("{} is suspended so already", pairing.downstream.text())
        );
    }
    BATON_CO_CHECK(
        co_await order.around->operators.suspend(std::move(suspension), std::move(order.by))
    );
    order.around->wake();
    co_return acted(true, fmt::format("{} gets nothing from now on", pairing.downstream.text()));
}

Answer resume(Order order) {
    BATON_CO_TRY(const auto pairing, pairing_of(order));
    ports::Resumption resumption{
        .downstream = pairing.downstream,
        .upstream =
            pairing.upstream.empty() ? std::nullopt : std::optional<RepoName>(pairing.upstream),
        .now = order.by.now,
        .actor = order.by.actor,
    };
    BATON_CO_TRY(
        const auto lifted,
        co_await order.around->operators.resume(std::move(resumption), std::move(order.by))
    );
    order.around->wake();
    co_return acted(
        lifted > 0,
        lifted > 0 ? fmt::format("{} gets events again", pairing.downstream.text())
                   : fmt::format("{} was not suspended", pairing.downstream.text())
    );
}

Answer redeliver(Order order) {
    BATON_CO_TRY(const auto id, HudQuery(order.request).captured(0));
    BATON_CO_TRY(const auto downstream, HudQuery(order.request).repository("downstream"));
    BATON_CO_TRY(const auto known, co_await order.around->store.delivery_history(DeliveryId(id)));
    ports::RedeliverQuery wanted;
    wanted.delivery = known.delivery.id;
    wanted.downstream = downstream;
    wanted.now = order.by.now;
    wanted.actor = order.by.actor;
    BATON_CO_TRY(
        const auto again,
        co_await order.around->operators.redeliver(std::move(wanted), std::move(order.by))
    );
    order.around->wake();
    co_return json::object{{"redelivered", again}};
}

// --- the way in

struct Action {
    std::string_view method;
    std::string_view path;
    Act act;
    std::vector<std::string_view> fields;
    std::vector<std::string_view> parameters{};
    bool says_why{true}; // the body is required, with a reason
};

/// A note says why by itself; redelivery was there before reasons were asked for.
std::string body_of(const Action& action, const std::string& sent) {
    return sent.empty() && !action.says_why ? "{}" : sent;
}

Result<Order>
order_of(const Around& around, net::Request request, const Action& action, const Actor& actor) {
    BATON_TRY(auto body, ActionBody::read(body_of(action, request.body), action.fields));
    if (auto known = HudQuery(request).only(action.parameters); !known) {
        return fail(known.error());
    }
    ports::ActedBy by{.actor = actor.name, .reason = "", .now = around->clock.now()};
    if (action.says_why) {
        BATON_TRY(by, acted_by(actor, body, by.now));
    } else {
        BATON_TRY(const auto name, body.text_if("name", kNameMax));
        by.actor = name.empty() ? by.actor : fmt::format("{} for {}", by.actor, inert(name));
    }
    return Order{
        .around = around,
        .request = std::move(request),
        .body = std::move(body),
        .by = std::move(by)
    };
}

asio::awaitable<net::Response> answered(Around around, net::Request request, Action action) {
    const auto actor = co_await around->actors.actor_of(request.head);
    if (!actor) {
        co_return actor.error();
    }
    auto order = order_of(around, std::move(request), action, *actor);
    if (!order) {
        co_return problem_of(order.error());
    }
    const auto said = co_await action.act(*std::move(order));
    if (!said) {
        co_return problem_of(said.error());
    }
    net::Response response{.body = json::serialize(*said)};
    response.headers.add("Cache-Control", "no-store");
    co_return response;
}

} // namespace

std::vector<net::Route> action_routes(const Around& around) {
    const std::vector<Action> actions{
        {"POST", "/api/v1/deliveries/{}/redeliver", redeliver, {"name"}, {"downstream"}, false},
        {"POST", "/api/v1/pulls/{}/{}/{}/rerun", rerun, {"downstream", "scope", "reason", "name"}},
        {"POST",
         "/api/v1/downstreams/{}/{}/suspend",
         suspend,
         {"upstream", "until", "reason", "name"}},
        {"POST", "/api/v1/downstreams/{}/{}/resume", resume, {"upstream", "reason", "name"}},
        {"POST",
         "/api/v1/notes",
         annotate,
         {"about", "subject", "text", "expires_at", "name"},
         {},
         false},
        {"DELETE", "/api/v1/notes/{}", remove_note, {"reason", "name"}},
        {"POST", "/api/v1/attention/acknowledge", acknowledge, {"key", "until", "reason", "name"}},
    };
    std::vector<net::Route> routes;
    for (const auto& action : actions) {
        routes.push_back({
            .method = std::string(action.method),
            .path = std::string(action.path),
            .handler = [around, action](net::Request request
                       ) { return answered(around, std::move(request), action); },
            .body_bytes_max = ActionBody::kBytesMax,
        });
    }
    return routes;
}

} // namespace baton::api
