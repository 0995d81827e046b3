// A query of the HUD's API, then the body of an action: what is refused is refused in inert words,
// and what is taken is within its bounds.

#include "baton/api/action_body.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/net/server.hpp"
#include "baton/net/url.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::promise;

/// `false` when it was refused.
template <class T> bool taken(const Result<T>& value) {
    if (!value) {
        promise(value.error().code == Errc::invalid, "who asks is at fault");
        promise(fuzz::is_inert(value.error().detail), "what people are told is inert");
    }
    return value.has_value();
}

void check_query(std::string_view text) {
    net::Request request;
    request.head.query = text;
    const api::HudQuery query(request);
    static_cast<void>(taken(query.only(std::array<std::string_view, 2>{"window", "cursor"})));
    static_cast<void>(taken(query.window(from_ms(1'790'000'000'000))));
    static_cast<void>(taken(query.repository("upstream")));
    static_cast<void>(taken(query.needed_repository("downstream")));
    static_cast<void>(taken(query.number("before")));
    static_cast<void>(taken(query.dispatch_state()));
    static_cast<void>(taken(query.event_type()));
    static_cast<void>(taken(query.pull_state()));
    static_cast<void>(taken(query.wish()));
    static_cast<void>(taken(query.level()));
    if (const auto limit = query.limit(); taken(limit)) {
        promise(*limit >= 1 && *limit <= 200, "a page has a bound");
    }
    if (const auto sha = query.sha(); taken(sha)) {
        promise(sha->text().size() <= 64, "a commit has a bound");
    }
    if (const auto place = query.place(); taken(place) && *place) {
        net::Request next;
        next.head.query = "cursor=" + net::percent_encode(api::cursor_of(**place));
        const auto again = api::HudQuery(next).place();
        promise(again.has_value() && again->has_value(), "a cursor that was given is taken");
        promise(api::cursor_of(**again) == api::cursor_of(**place), "and leads to the same place");
    }
}

void check_body(std::string_view text) {
    constexpr std::size_t kMost = 64;
    const auto body = api::ActionBody::read(
        text, std::array<std::string_view, 4>{"reason", "by", "downstream", "until"}
    );
    if (!taken(body)) {
        return;
    }
    if (const auto reason = body->text("reason", kMost); taken(reason)) {
        promise(!reason->empty() && reason->size() <= kMost, "a text has its bounds");
    }
    static_cast<void>(taken(body->text_if("by", kMost)));
    static_cast<void>(taken(body->repository_if("downstream")));
    static_cast<void>(taken(body->time_if("until")));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto rest = fuzz::text_of(data, size);
    check_query(fuzz::take_until(rest, '\n'));
    check_body(rest);
    return 0;
}
