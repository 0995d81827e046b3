#include "baton/report/answer.hpp"

#include "baton/base/draw.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/retry.hpp"
#include "baton/net/client.hpp"
#include "baton/report/body.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::report {

namespace json = boost::json;

namespace {

constexpr int kRequestTimeout = 408;
constexpr int kTooLarge = 413;
constexpr int kTooMany = 429;
constexpr int kUnauthorized = 401;

std::string text_at(const json::object& body, std::string_view name) {
    const auto* value = body.if_contains(name);
    if (value == nullptr || value->is_null()) {
        return "";
    }
    return inert(value->is_string() ? std::string(value->as_string()) : json::serialize(*value));
}

bool flag_at(const json::object& body, std::string_view name, bool without) {
    const auto* value = body.if_contains(name);
    const auto* flag = value == nullptr ? nullptr : value->if_bool();
    return flag == nullptr ? without : *flag;
}

std::vector<std::string> notes_in(const json::object& body) {
    constexpr std::size_t kMost = 20;
    std::vector<std::string> notes;
    const auto* value = body.if_contains("notes");
    const auto* list = value == nullptr ? nullptr : value->if_array();
    for (std::size_t i = 0; list != nullptr && i < std::min(list->size(), kMost); ++i) {
        if (const auto* note = (*list)[i].if_string()) {
            notes.push_back(inert(*note));
        }
    }
    return notes;
}

/// Seconds; the other form, a date, would need the relay's clock.
std::optional<Millis> retry_after_in(const net::ClientReply& reply) {
    constexpr std::int64_t kLongest = 86'400;
    const auto field = reply.headers.find("Retry-After");
    const auto seconds = field ? whole_number(trimmed(*field)) : std::nullopt;
    if (!seconds) {
        return std::nullopt;
    }
    return std::chrono::seconds(std::min(*seconds, kLongest));
}

bool may_pass(int http_status) {
    return http_status == 0 || http_status >= 500 || http_status == kTooMany ||
           http_status == kRequestTimeout;
}

} // namespace

Answer answer_in(const net::ClientReply& reply) {
    Answer answer{.http_status = reply.status, .retry_after = retry_after_in(reply)};
    boost::system::error_code broken;
    const auto value = json::parse(reply.body, broken);
    const auto* body = broken ? nullptr : value.if_object();
    if (body == nullptr) {
        answer.detail = inert(trimmed(reply.body));
        return answer;
    }
    answer.status = text_at(*body, "status");
    answer.proceed = flag_at(*body, "proceed", true);
    answer.duplicate = flag_at(*body, "duplicate", false);
    answer.stale = flag_at(*body, "stale", false);
    answer.notes = notes_in(*body);
    answer.detail = text_at(*body, "detail");
    if (answer.detail.empty()) {
        answer.detail = text_at(*body, "reason");
    }
    return answer;
}

Decision
decide(const Answer& answer, const Progress& progress, const Patience& patience, Draw draw) {
    if (answer.http_status == kUnauthorized && progress.token_renews && !progress.token_renewed) {
        return {.move = Move::fresh_token};
    }
    if (answer.http_status == kTooLarge && progress.bytes_max / 2 >= kReportBytesLeast) {
        return {.move = Move::smaller};
    }
    if (!may_pass(answer.http_status)) {
        return {.move = Move::stop};
    }
    if (progress.tries >= patience.tries_max) {
        return {.move = Move::give_up};
    }
    const domain::RetryPolicy policy({
        .first = std::chrono::milliseconds(500),
        .longest = std::chrono::seconds(15),
        .give_up_after = patience.timeout,
    });
    const auto own = policy.delay_after(progress.tries, progress.age, draw);
    if (!own) {
        return {.move = Move::give_up};
    }
    auto wait = *own;
    if (answer.retry_after) {
        // The legs of a matrix were all told the same second; they shall not come back in it.
        const Millis spread(static_cast<Millis::rep>(draw.below(1000)));
        wait = std::max(wait, *answer.retry_after + spread);
    }
    if (progress.age + wait >= patience.timeout) {
        return {.move = Move::give_up};
    }
    return {.move = Move::again, .wait = wait};
}

} // namespace baton::report
