#include "baton/relay/intake.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/event.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/store.hpp"
#include "baton/wire/webhook.hpp"

#include <boost/asio/awaitable.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

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

std::vector<RepoName> on_call_for(const Login& login, const domain::Allowlist& allowlist) {
    std::vector<RepoName> downstreams;
    const auto is_it = [own = lower(login.text())](const Login& known) {
        return lower(known.text()) == own;
    };
    for (const auto& listed : allowlist.downstreams()) {
        if (std::ranges::any_of(listed.oncalls, is_it)) {
            downstreams.push_back(listed.repo);
        }
    }
    return downstreams;
}

} // namespace

Intake::Intake(domain::Interests interests, Surroundings around)
    : interests_(std::move(interests))
    , around_(std::move(around)) {}

asio::awaitable<Result<Receipt>> Intake::accept(wire::VerifiedWebhook webhook) {
    BATON_CO_TRY(const auto event, wire::parse_event(webhook));
    BATON_CO_CHECK(co_await note_answer(event));
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

/// How soon they answer is a criterion of level 4. A webhook that comes again tells of a later
/// answer, which changes nothing.
asio::awaitable<Result<void>> Intake::note_answer(const domain::Event& event) {
    const auto* comment = std::get_if<domain::CommentFacts>(&event.facts);
    if (comment == nullptr || !comment->on_pull_request || !event.repository ||
        around_.book == nullptr || around_.levels == nullptr ||
        std::ranges::find(interests_.upstreams, *event.repository) == interests_.upstreams.end()) {
        co_return Result<void>{};
    }
    const auto allowlist = around_.book->find(*event.repository);
    auto downstreams = allowlist ? on_call_for(event.sender, *allowlist) : std::vector<RepoName>{};
    if (downstreams.empty()) {
        co_return Result<void>{};
    }
    ports::NewAnswer answer{
        .upstream = *event.repository,
        .pr = comment->number,
        .downstreams = std::move(downstreams),
        .at = around_.clock.now(),
    };
    co_return co_await around_.levels->note_answer(std::move(answer));
}

} // namespace baton::relay
