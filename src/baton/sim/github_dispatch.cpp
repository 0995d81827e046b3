#include "baton/base/time.hpp"
#include "baton/sim/dispatch_log.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace baton::sim {

namespace json = boost::json;

namespace {

constexpr std::size_t kEventTypeCharactersMax = 100;
constexpr std::size_t kPayloadKeysMax = 10;
constexpr std::size_t kPayloadBytesMax = 65'535;
constexpr std::size_t kDepthMax = 100;

DispatchReply invalid(std::string_view why) {
    return {.status = 422, .message = fmt::format("Invalid request.\n\n{}", why)};
}

DispatchReply check_event_type(const json::object& body) {
    const auto* const type = body.if_contains("event_type");
    if (type == nullptr) {
        return invalid("\"event_type\" wasn't supplied.");
    }
    if (!type->is_string()) {
        return invalid("For 'properties/event_type', the value is not a string.");
    }
    const auto length = type->as_string().size();
    if (length == 0 || length > kEventTypeCharactersMax) {
        return invalid(fmt::format(
            "Only {} characters are allowed; {} were supplied.", kEventTypeCharactersMax, length
        ));
    }
    return {};
}

DispatchReply check_payload(const json::object& body) {
    const auto* const payload = body.if_contains("client_payload");
    if (payload == nullptr) {
        return {};
    }
    if (!payload->is_object()) {
        return invalid("For 'properties/client_payload', the value is not an object.");
    }
    const auto keys = payload->as_object().size();
    if (keys > kPayloadKeysMax) {
        return invalid(fmt::format(
            "No more than {} properties are allowed; {} were supplied.", kPayloadKeysMax, keys
        ));
    }
    if (json::serialize(*payload).size() > kPayloadBytesMax) {
        return {.status = 422, .message = "client_payload is too large"};
    }
    return {};
}

std::string delivery_id_in(const json::object& body) {
    const auto* const payload = body.if_contains("client_payload");
    if (payload == nullptr) {
        return {};
    }
    const auto* const id = payload->as_object().if_contains("delivery_id");
    return id != nullptr && id->is_string() ? std::string(id->as_string()) : std::string{};
}

} // namespace

DispatchReply GithubModel::dispatch(RepoId id, std::string body, TimePoint now) {
    const auto* const to = repo(id);
    if (to == nullptr || !to->installed) {
        return {.status = 404, .message = "Not Found"};
    }
    boost::system::error_code broken;
    const auto parsed = json::parse(body, broken, {}, {.max_depth = kDepthMax});
    if (broken) {
        return {.status = 400, .message = "Problems parsing JSON"};
    }
    if (!parsed.is_object()) {
        return {.status = 400, .message = "Body should be a JSON object"};
    }
    const auto& fields = parsed.as_object();
    for (auto* const check : {&check_event_type, &check_payload}) {
        auto refused = check(fields);
        if (refused.status != 204) {
            return refused;
        }
    }
    dispatches_.add(ReceivedDispatch{
        .at = now,
        .repo = to->name,
        .event_type = std::string(fields.at("event_type").as_string()),
        .delivery_id = delivery_id_in(fields),
        .body_bytes = body.size(),
        .body = std::move(body),
    });
    return {};
}

} // namespace baton::sim
