#include "baton/api/action_body.hpp"
#include "baton/api/hud_order.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/hud/overview.hpp"
#include "baton/hud/window.hpp"
#include "baton/ports/operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::api {

namespace {

constexpr std::size_t kNoteMax = 2'000;
constexpr std::size_t kSubjectMax = 256;
constexpr std::size_t kKeyMax = 300;
constexpr std::chrono::days kAcknowledgedMax{30};

Result<void> check_subject(const std::string& about, const std::string& subject) {
    if (about == "downstream" && !RepoName::parse(subject)) {
        return fail(Errc::invalid, "/subject: expected owner/name of a downstream");
    }
    const auto hash = subject.rfind('#');
    const bool is_pull = hash != std::string::npos && RepoName::parse(subject.substr(0, hash)) &&
                         whole_number(std::string_view(subject).substr(hash + 1));
    if (about == "pull" && !is_pull) {
        return fail(Errc::invalid, "/subject: expected owner/name#number of a pull request");
    }
    return {};
}

} // namespace

Answer annotate(Order order) {
    ports::Note note;
    BATON_CO_TRY(note.about, order.body.text("about", kNameMax));
    if (!is_noted_about(note.about)) {
        co_return fail(Errc::invalid, "/about: expected pull, downstream, delivery or cluster");
    }
    BATON_CO_TRY(note.subject, order.body.text("subject", kSubjectMax));
    BATON_CO_CHECK(check_subject(note.about, note.subject));
    BATON_CO_TRY(note.text, order.body.text("text", kNoteMax));
    BATON_CO_TRY(note.expires_at, order.body.time_if("expires_at"));
    if (note.expires_at && *note.expires_at <= order.by.now) {
        co_return fail(Errc::invalid, "/expires_at: expected a time to come");
    }
    note.actor = order.by.actor;
    note.at = order.by.now;
    BATON_CO_TRY(
        const auto kept,
        co_await order.around->operators.annotate(std::move(note), std::move(order.by))
    );
    co_return json_of(kept);
}

Answer remove_note(Order order) {
    BATON_CO_TRY(const auto id, HudQuery(order.request).captured_number(0));
    BATON_CO_TRY(
        const auto gone, co_await order.around->operators.remove_note(id, std::move(order.by))
    );
    co_return acted(true, fmt::format("note {} is gone", gone.id));
}

Answer acknowledge(Order order) {
    BATON_CO_TRY(auto key, order.body.text("key", kKeyMax));
    BATON_CO_TRY(const auto until, order.body.time_if("until"));
    if (!until) {
        BATON_CO_TRY(
            const auto lifted,
            co_await order.around->operators.lift_acknowledgement(
                std::move(key), std::move(order.by)
            )
        );
        co_return acted(
            lifted, lifted ? "it counts as new again" : "nobody had said to look after it"
        );
    }
    if (*until <= order.by.now || *until > order.by.now + kAcknowledgedMax) {
        co_return fail(Errc::invalid, "/until: expected a time within the next 30 days, or null");
    }
    BATON_CO_TRY(
        const auto page,
        co_await order.around->desk.overview(*hud::window_named("7d", order.by.now), std::nullopt)
    );
    if (std::ranges::find(page.attention, key, &hud::Attention::key) == page.attention.end()) {
        co_return fail(Errc::not_found, "nothing of this key needs attention now");
    }
    ports::Acknowledgement known{
        .key = key,
        .at = order.by.now,
        .until = *until,
        .actor = order.by.actor,
        .reason = order.by.reason,
    };
    BATON_CO_CHECK(
        co_await order.around->operators.acknowledge(std::move(known), std::move(order.by))
    );
    co_return acted(true, fmt::format("looked after until {}", to_rfc3339(*until)));
}

} // namespace baton::api
