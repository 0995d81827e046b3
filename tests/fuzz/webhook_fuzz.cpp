// A webhook: the event's name in the first line, then the body. Only a body with its own signature
// is parsed, in whatever pieces it came, and what is read at the edge is read again from the store.

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/crypto/hmac.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/crypto/webhook_signature.hpp"
#include "baton/domain/event.hpp"
#include "baton/wire/webhook.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::promise;

constexpr const char* kSecret = "a webhook secret";

std::optional<crypto::SignatureProof> proof_of(std::string_view body, std::string_view header) {
    static const auto keys = *crypto::SignatureKeys::make({"an old secret", kSecret});
    crypto::SignatureCheck check(keys);
    for (std::size_t step = 1; !body.empty(); step *= 2) { // pieces of growing length
        const auto piece = body.substr(0, step);
        check.update(piece);
        body.remove_prefix(piece.size());
    }
    return check.finish(header);
}

void check_event(const domain::Event& event) {
    if (const auto* pr = std::get_if<domain::PullRequestFacts>(&event.facts)) {
        promise(static_cast<std::int64_t>(pr->number) > 0, "pull requests have positive numbers");
        promise(pr->head.text().size() == 40, "a head is a whole SHA");
    } else if (const auto* push = std::get_if<domain::PushFacts>(&event.facts)) {
        promise(push->after.text().size() == 40, "a push names a whole SHA");
    } else if (const auto* again = std::get_if<domain::RerequestFacts>(&event.facts)) {
        promise(again->head.text().size() == 40, "a check stands on a whole SHA");
    } else if (const auto* comment = std::get_if<domain::CommentFacts>(&event.facts)) {
        promise(
            comment->text.size() <= limits::kCommandBytesMax, "of a comment only the head is kept"
        );
    } else if (const auto* group = std::get_if<domain::MergeGroupFacts>(&event.facts)) {
        promise(group->head.text().size() == 40, "a merge group names a whole SHA");
    }
    const auto upstream = *RepoName::parse("up/stream");
    const auto concern = domain::concern_of(event, {.upstreams = {upstream}, .files = {}});
    promise(concern.ours == concern.reason.empty(), "what is ignored has a reason");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto rest = fuzz::text_of(data, size);
    const wire::WebhookHead head{
        .event = std::string(fuzz::take_until(rest, '\n')), .delivery = DeliveryId("d-1")
    };
    std::string body(rest);
    auto signature =
        "sha256=" + crypto::to_hex(crypto::view_of(crypto::HmacKey(kSecret).sign(body)));
    const auto proof = proof_of(body, signature);
    promise(proof.has_value(), "a good signature is taken, whatever the pieces");
    promise(proof->secret_index() == 1, "and we know whose it is");
    const auto flipped = size % 64 + 7;
    signature[flipped] = signature[flipped] == '0' ? '1' : '0';
    promise(!proof_of(body, signature), "another signature is refused");
    promise(!proof_of(body, body), "a body is no signature");

    const auto stored = wire::parse_stored_event(head, body);
    body.reserve(body.size() + 64); // the fast path, without a copy
    const wire::VerifiedWebhook webhook(*proof, head, std::move(body));
    const auto event = wire::parse_event(webhook);
    promise(event.has_value() == stored.has_value(), "edge and store read alike");
    if (event) {
        promise(*event == *stored, "and understand the same");
        check_event(*event);
    } else {
        promise(event.error().code == Errc::invalid, "a body that is no use is invalid");
    }
    return 0;
}
