// What is sent to downstreams: whatever JSON a webhook holds, the request is JSON, below GitHub's
// limit, and still has the fields that downstreams rely on.

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"
#include "baton/wire/dispatch_body.hpp"
#include "baton/wire/json_text.hpp"
#include "baton/wire/trim.hpp"
#include "baton/wire/webhook.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::promise;
namespace json = boost::json;

json::value parsed(std::string_view text, const char* words) {
    json::parse_options deep;
    deep.max_depth = 128;
    boost::system::error_code error;
    auto value = json::parse(text, error, {}, deep);
    promise(!error, words);
    return value;
}

void check_trim(std::string_view payload, std::size_t budget, domain::TrimStep at_least) {
    const auto trimmed = wire::trim(payload, budget, at_least);
    if (!trimmed) {
        return;
    }
    promise(
        trimmed->json.size() + wire::names_size(trimmed->trimmed) <= budget,
        "a payload and the names of what it lost fit"
    );
    const auto value = parsed(trimmed->json, "a trimmed payload is JSON");
    promise(value.is_object(), "and an object");
    const auto again = wire::trim(trimmed->json, budget, domain::TrimStep{0});
    promise(again && again->json == trimmed->json, "what fits is left alone");
}

void check_body(std::string_view payload, domain::TrimStep trim) {
    const wire::DeliveryFacts facts{
        .event_type = "pull_request",
        .delivery = DeliveryId("72d3162e-cc78-11e3-81ab-4c9367dc0958"),
        .upstream = *RepoName::parse("up/stream"),
        .trim = trim,
    };
    const auto made = wire::DispatchBody::make(facts, payload);
    if (!made) {
        return;
    }
    const auto text = made->for_downstream(
        {.generation = 2, .level = domain::Level::l4, .callback_token = std::string(128, 't')}
    );
    const auto root = parsed(text, "a dispatch is JSON");
    const auto& client_payload = root.at("client_payload").as_object();
    promise(client_payload.size() <= limits::kClientPayloadKeysMax, "GitHub takes ten keys");
    promise(client_payload.at("delivery_id").is_string(), "a dispatch names its delivery");
    promise(client_payload.at("baton").at("generation").as_int64() == 2, "and its generation");
    const auto open =
        text.find(R"("client_payload":)") + std::string_view(R"("client_payload":)").size();
    promise(text.size() - 1 - open < limits::kClientPayloadBytesMax, "and is below GitHub's limit");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto payload = fuzz::text_of(data, size);
    const auto quoted = wire::json_quoted(payload);
    promise(parsed(quoted, "quoted text is JSON").is_string(), "and a string");
    // What reaches a dispatch was parsed when it came in: anything else has no promise.
    const wire::WebhookHead head{.event = "other", .delivery = DeliveryId("d-1")};
    if (!wire::parse_stored_event(head, payload)) {
        return 0;
    }
    for (const int step : {0, 1, 2}) {
        const domain::TrimStep trim{step};
        check_trim(payload, size / 2 + 64, trim);
        check_trim(payload, size + 16, trim);
        check_body(payload, trim);
    }
    return 0;
}
