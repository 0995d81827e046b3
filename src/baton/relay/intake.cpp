#include "baton/relay/intake.hpp"

#include "baton/base/result.hpp"
#include "baton/domain/event.hpp"
#include "baton/ports/store.hpp"
#include "baton/wire/webhook.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>
#include <utility>
#include <variant>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

ports::NewDelivery delivery_of(const domain::Event& event) {
    ports::NewDelivery delivery{
        .id = event.delivery,
        .event = event.name,
        .action = event.action,
        .repository = event.repository ? event.repository->text() : "",
    };
    if (const auto* pull_request = std::get_if<domain::PullRequestFacts>(&event.facts)) {
        delivery.pr = pull_request->number;
        delivery.head = pull_request->head;
    } else if (const auto* push = std::get_if<domain::PushFacts>(&event.facts)) {
        delivery.head = push->after;
    }
    return delivery;
}

} // namespace

Intake::Intake(domain::Interests interests, Surroundings around)
    : interests_(std::move(interests))
    , around_(std::move(around)) {}

asio::awaitable<Result<Receipt>> Intake::accept(wire::VerifiedWebhook webhook) {
    BATON_CO_TRY(const auto event, wire::parse_event(webhook));
    const auto concern = domain::concern_of(event, interests_);
    if (!concern.ours) {
        co_return Receipt{
            .kind = Receipt::Kind::ignored, .action = event.action, .reason = concern.reason
        };
    }

    auto delivery = delivery_of(event);
    delivery.received_at = around_.clock.now();
    delivery.body = std::move(webhook).take_body();
    const auto inserted = co_await around_.store.insert_delivery(std::move(delivery));
    if (!inserted) {
        co_return fail(inserted.error());
    }
    if (!*inserted) {
        co_return Receipt{.kind = Receipt::Kind::duplicate, .action = event.action};
    }
    around_.on_accepted();
    co_return Receipt{.kind = Receipt::Kind::accepted, .action = event.action};
}

} // namespace baton::relay
