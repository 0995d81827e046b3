#include "sim/checkers.hpp"

#include "baton/base/ids.hpp"
#include "baton/crypto/callback_token.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/dispatch_log.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "sim/world.hpp"

namespace baton::test {

namespace {

using domain::DispatchState;

std::size_t unknown_attempts(const ports::DispatchHistory& one) {
    return static_cast<std::size_t>(std::ranges::count_if(
        one.attempts,
        [](const ports::Attempt& attempt) {
            return !attempt.outcome || *attempt.outcome == domain::Outcome::unknown;
        }
    ));
}

bool always_dispatched(const domain::Downstream& downstream, const sim::Webhook& webhook) {
    if (downstream.trigger != domain::Trigger::always || downstream.trust != domain::Trust::any) {
        return false;
    }
    return downstream.push_refs.empty() || webhook.event != "push";
}

class Inspection {
public:
    explicit Inspection(World& world)
        : world_(world) {
        for (const auto& key : world.signing_keys()) {
            keys_.push_back({.id = key.id, .secret = key.secret});
        }
    }

    std::vector<std::string> findings() {
        for (const auto& id : world_.accepted()) {
            const auto history = world_.history(id);
            look_at_delivery(history);
            for (const auto& one : history.dispatches) {
                look_at_dispatch(one);
            }
        }
        return findings_;
    }

private:
    void look_at_delivery(const ports::DeliveryHistory& history) {
        const auto& delivery = history.delivery;
        expect(
            delivery.state == ports::DeliveryState::planned,
            fmt::format("{} was accepted and never planned", delivery.id.text())
        );
        const auto& webhook = world_.webhook(delivery.id);
        const bool forwarded = webhook.event == "push" || webhook.action == "opened" ||
                               webhook.action == "synchronize" || webhook.action == "closed" ||
                               webhook.action == "reopened";
        for (const auto& downstream : world_.allowlist().downstreams()) {
            const bool has =
                std::ranges::any_of(history.dispatches, [&](const ports::DispatchHistory& one) {
                    return one.dispatch.key.downstream == downstream.repo;
                });
            expect(
                has || !forwarded || !always_dispatched(downstream, webhook),
                fmt::format(
                    "{} was accepted and {} never got a row",
                    delivery.id.text(),
                    downstream.repo.text()
                )
            );
        }
    }

    void look_at_dispatch(const ports::DispatchHistory& one) {
        const auto& dispatch = one.dispatch;
        const auto name =
            fmt::format("{} to {}", dispatch.key.delivery.text(), dispatch.key.downstream.text());
        const auto received = world_.github().dispatches().find(
            {.repo = dispatch.key.downstream, .delivery_id = dispatch.key.delivery.text()}
        );
        const auto unknown = unknown_attempts(one);
        expect(domain::is_at_rest(dispatch.state), fmt::format("{} never came to rest", name));
        if (dispatch.state == DispatchState::sent) {
            expect(!received.empty(), fmt::format("{} is called sent and was not received", name));
            expect(
                received.size() <= 1 + unknown,
                fmt::format(
                    "{} was received {} times with {} unknown outcomes",
                    name,
                    received.size(),
                    unknown
                )
            );
        } else {
            expect(
                received.size() <= unknown,
                fmt::format("{} is {} and was received", name, domain::name_of(dispatch.state))
            );
        }
        if (dispatch.state == DispatchState::superseded ||
            dispatch.state == DispatchState::cancelled) {
            look_for_cause(dispatch, name);
        }
        expect(
            dispatch.state != DispatchState::failed && dispatch.state != DispatchState::dead,
            fmt::format("{} is {}", name, dispatch.reason)
        );
        for (const auto& line : received) {
            look_at_token(line, dispatch, name);
        }
    }

    void look_for_cause(const domain::Dispatch& dispatch, const std::string& name) {
        if (!dispatch.pr) {
            expect(
                false, fmt::format("{} is a push and {}", name, domain::name_of(dispatch.state))
            );
            return;
        }
        const bool overtaken = std::ranges::any_of(world_.accepted(), [&](const DeliveryId& id) {
            const auto& other = world_.webhook(id);
            const auto& own = world_.webhook(dispatch.key.delivery);
            return other.pr == dispatch.pr && other.created_at >= own.created_at &&
                   (other.head != dispatch.head || other.action == "closed" ||
                    other.action == "reopened");
        });
        expect(
            overtaken,
            fmt::format("{} is {} without a cause", name, domain::name_of(dispatch.state))
        );
    }

    void look_at_token(
        const sim::ReceivedDispatch& line, const domain::Dispatch& dispatch, const std::string& name
    ) {
        if (line.body.empty()) {
            return; // too old to be kept by the model
        }
        const auto body = boost::json::parse(line.body);
        const auto& token = body.at("client_payload").at("callback_token").as_string();
        const crypto::CallbackClaims claims{
            .dispatch = dispatch.id,
            .generation = dispatch.key.generation,
            .delivery = dispatch.key.delivery,
            .downstream = dispatch.key.downstream,
            .pr = dispatch.pr,
            .head = dispatch.head,
        };
        expect(
            crypto::verify(token, claims, keys_, world_.now()) == crypto::TokenVerdict::good,
            fmt::format("{} carries a token that does not verify", name)
        );
    }

    void expect(bool holds, std::string otherwise) {
        if (!holds) {
            findings_.push_back(std::move(otherwise));
        }
    }

    World& world_;
    std::vector<crypto::TokenKey> keys_;
    std::vector<std::string> findings_;
};

} // namespace

std::vector<std::string> check(World& world) {
    return Inspection(world).findings();
}

} // namespace baton::test
