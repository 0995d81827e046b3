#include "baton/obs/line.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/letter.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/posting.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/journal.hpp"

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace baton::obs {

namespace {

/// Collects the fields of one line; `text` leaves out what is empty.
class Fields {
public:
    explicit Fields(Line& line)
        : line_(line) {}

    Fields& text(std::string_view key, std::string_view value) {
        if (!value.empty()) {
            line_.fields.push_back({.key = std::string(key), .value = inert(value)});
        }
        return *this;
    }

    Fields& number(std::string_view key, std::integral auto value) {
        line_.fields.push_back({.key = std::string(key), .value = static_cast<std::int64_t>(value)}
        );
        return *this;
    }

    Fields& number_unless_zero(std::string_view key, std::integral auto value) {
        return value == 0 ? *this : number(key, value);
    }

private:
    Line& line_;
};

/// Names the event of each kind of entry and fills in its fields.
struct Fill {
    Line& line;

    Fields begin(std::string_view event) const {
        line.event = event;
        return Fields(line);
    }

    void operator()(const ports::WebhookAnswered& entry) const {
        begin("webhook.answered")
            .text("delivery", entry.delivery.text())
            .text("event", entry.event)
            .text("action", entry.action)
            .number("status", entry.status)
            .text("outcome", entry.outcome)
            .text("reason", entry.reason)
            .number("body_bytes", entry.body_bytes)
            .number("took_us", entry.took.count());
    }

    void operator()(const ports::CallbackAnswered& entry) const {
        begin("callback.answered")
            .text("downstream", entry.downstream.text())
            .text("delivery", entry.delivery.text())
            .text("job", entry.job)
            .number("status", entry.status)
            .text("outcome", entry.outcome)
            .text("reason", entry.reason)
            .number("body_bytes", entry.body_bytes)
            .number("took_us", entry.took.count());
    }

    void operator()(const ports::DeliveryPlanned& entry) const {
        begin("delivery.planned")
            .text("delivery", entry.delivery.text())
            .text("event", entry.event)
            .number("created", entry.created)
            .number("superseded", entry.superseded)
            .number("cancelled", entry.cancelled)
            .number("waited_ms", entry.waited.count());
    }

    void operator()(const ports::DispatchAttempted& entry) const {
        begin("dispatch.attempted")
            .number("dispatch", static_cast<std::int64_t>(entry.dispatch))
            .text("delivery", entry.key.delivery.text())
            .text("downstream", entry.key.downstream.text())
            .number_unless_zero("generation", entry.key.generation)
            .text("level", domain::name_of(entry.level))
            .number("attempt", entry.attempt)
            .text("outcome", domain::name_of(entry.answer.outcome))
            .number_unless_zero("status", entry.answer.status)
            .text("state", domain::name_of(entry.state))
            .text("next_try", entry.next_try ? to_rfc3339(*entry.next_try) : "")
            .text("reason", entry.reason)
            .text("detail", entry.answer.detail)
            .number("took_ms", entry.took.count())
            .number("age_ms", entry.age.count());
    }

    void operator()(const ports::AllowlistInForce& entry) const {
        begin("allowlist.in_force")
            .text("upstream", entry.upstream.text())
            .text("source", entry.source)
            .number("downstreams", entry.downstreams);
    }

    void operator()(const ports::AllowlistRefused& entry) const {
        begin("allowlist.refused")
            .text("upstream", entry.upstream.text())
            .text("source", entry.source)
            .text("detail", entry.detail);
    }

    void operator()(const ports::HookLogWalked& entry) const {
        begin("hook_log.walked")
            .number("tries", entry.tries)
            .number("asked", entry.asked)
            .number("astray", entry.astray)
            .number("given_up", entry.given_up);
    }

    void operator()(const ports::DayCompleted& entry) const {
        begin("day.completed")
            .text("from", to_rfc3339(entry.day.from))
            .number("missing", entry.day.missing())
            .text("account", domain::to_text(entry.day));
    }

    void operator()(const ports::SilenceNoted& entry) const {
        begin("dispatch.silent")
            .number("dispatch", static_cast<std::int64_t>(entry.dispatch))
            .text("downstream", entry.downstream.text())
            .text("superseded", entry.superseded ? "true" : "");
    }

    void operator()(const ports::JobTimedOut& entry) const {
        begin("job.timed_out")
            .number("job", static_cast<std::int64_t>(entry.job))
            .text("downstream", entry.downstream.text())
            .text("workflow", entry.workflow)
            .text("name", entry.name);
    }

    void operator()(const ports::ScheduleTurned& entry) const {
        line.event = fmt::format("schedule.{}", ports::name_of(entry.outcome));
        Fields(line)
            .text("upstream", entry.upstream.text())
            .text("downstream", entry.downstream.text())
            .text("event", entry.event)
            .text("due", to_rfc3339(entry.due))
            .text("reason", entry.reason);
    }

    void operator()(const ports::LetterAttempted& entry) const {
        begin("letter.attempted")
            .text("sink", entry.sink)
            .number("letter", entry.letter)
            .text("downstream", entry.downstream.text())
            .number("attempt", entry.attempt)
            .number_unless_zero("status", entry.status)
            .text("outcome", domain::name_of(entry.fate))
            .text("next_try", entry.next_try ? to_rfc3339(*entry.next_try) : "")
            .text("detail", entry.detail)
            .number("took_ms", entry.took.count())
            .number("age_ms", entry.age.count());
    }

    void operator()(const ports::PostingAttempted& entry) const {
        begin("posting.attempted")
            .text("upstream", entry.upstream.text())
            .text("head", entry.head.text())
            .text("name", entry.name)
            .number("attempt", entry.attempt)
            .text("call", entry.created ? "create" : "change")
            .number_unless_zero("status", entry.status)
            .text("outcome", domain::name_of(entry.fate))
            .text("detail", entry.detail)
            .number("took_ms", entry.took.count());
    }

    void operator()(const ports::RerunEnded& entry) const {
        begin("rerun.ended")
            .text("downstream", entry.downstream.text())
            .text("cause", domain::name_of(entry.cause))
            .text("outcome", domain::name_of(entry.state))
            .text("actor", entry.actor)
            .text("detail", entry.detail);
    }

    void operator()(const ports::GateMoved& entry) const {
        begin(entry.suspended ? "gate.suspended" : "gate.resumed")
            .text("upstream", entry.upstream.text())
            .text("downstream", entry.downstream.text())
            .text("reason", entry.reason);
    }

    void operator()(const ports::LadderMoved& entry) const {
        begin("level." + entry.move)
            .text("upstream", entry.upstream.text())
            .text("downstream", entry.downstream.text())
            .text("from", domain::name_of(entry.from))
            .text("to", domain::name_of(entry.to))
            .text("reason", entry.reason);
    }

    void operator()(const ports::Pruned& entry) const {
        begin("retention.pruned")
            .number("bodies", entry.bodies)
            .number("jobs", entry.jobs)
            .number("dispatches", entry.dispatches)
            .number("took_ms", entry.took.count());
    }

    void operator()(const ports::Trouble& entry) const {
        begin("trouble").text("where", entry.where).text("detail", entry.detail);
    }

    void operator()(const ports::LifeTurn& entry) const {
        begin("life").text("what", entry.what).text("detail", entry.detail);
    }
};

/// In double quotes, as both logfmt and JSON want it. Only these two characters can hurt: texts are
/// inert.
std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        out += c;
    }
    return out + '"';
}

std::string logfmt_value(const std::variant<std::string, std::int64_t>& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        return fmt::to_string(*number);
    }
    const auto& text = std::get<std::string>(value);
    const bool plain = !text.empty() && text.find_first_of(" \"=\\") == std::string::npos;
    return plain ? text : quoted(text);
}

std::string json_value(const std::variant<std::string, std::int64_t>& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        return fmt::to_string(*number);
    }
    return quoted(std::get<std::string>(value));
}

} // namespace

Line line_of(const ports::JournalEntry& entry, TimePoint at) {
    Line line{.at = at, .loudness = loudness_of(entry), .event = {}, .fields = {}};
    std::visit(Fill{line}, entry);
    return line;
}

std::string to_logfmt(const Line& line) {
    auto out = fmt::format("{} {} {}", to_rfc3339(line.at), name_of(line.loudness), line.event);
    for (const auto& field : line.fields) {
        out += fmt::format(" {}={}", field.key, logfmt_value(field.value));
    }
    return out;
}

std::string to_json(const Line& line) {
    auto out = fmt::format(
        R"({{"time":"{}","severity":"{}","event":"{}")",
        to_rfc3339(line.at),
        name_of(line.loudness),
        line.event
    );
    for (const auto& field : line.fields) {
        out += fmt::format(R"(,"{}":{})", field.key, json_value(field.value));
    }
    return out + '}';
}

} // namespace baton::obs
