#include "baton/github/answer.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/quota.hpp"
#include "baton/domain/retry.hpp"
#include "baton/github/http_date.hpp"
#include "baton/github/rest.hpp"
#include "baton/net/client.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace baton::github {

namespace {

using domain::Answer;
using domain::Outcome;

constexpr std::size_t kReadBytesMax = 16'384; // of a refusal: its message is at the front
constexpr std::array<std::string_view, 3> kLimitWords{"rate limit", "abuse", "secondary"};

/// GitHub's own sentence, safe to show; empty when there is none.
std::string message_in(std::string_view body) {
    boost::system::error_code error;
    if (body.size() > kReadBytesMax) {
        return {};
    }
    const auto root = boost::json::parse(body, error);
    if (error || !root.is_object()) {
        return {};
    }
    const auto* message = root.as_object().if_contains("message");
    return message != nullptr && message->is_string() ? inert(message->as_string()) : std::string{};
}

bool speaks_of_limit(std::string_view body) {
    const auto text = lower(body.substr(0, kReadBytesMax));
    return std::ranges::any_of(kLimitWords, [&](auto word) {
        return text.find(word) != std::string::npos;
    });
}

bool speaks_of_size(std::string_view body) {
    return lower(body.substr(0, kReadBytesMax)).find("too large") != std::string::npos;
}

std::optional<std::int64_t> whole_number(std::optional<std::string_view> text) {
    std::int64_t number = 0;
    if (!text) {
        return std::nullopt;
    }
    const auto digits = trimmed(*text);
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc{} || stop != digits.data() + digits.size() || number < 0) {
        return std::nullopt;
    }
    return number;
}

/// How long from now until a moment of GitHub's clock.
Millis wait_until(TimePoint moment, const net::ClientReply& reply, TimePoint now) {
    const auto date = parse_http_date(reply.headers.find("date").value_or(""));
    return moment - date.value_or(now);
}

Millis clamped(std::int64_t seconds) {
    constexpr auto kMax = std::chrono::duration_cast<std::chrono::seconds>(kLimitWaitMax);
    return std::chrono::seconds(std::min<std::int64_t>(seconds, kMax.count()));
}

std::optional<Millis> retry_after(const net::ClientReply& reply, TimePoint now) {
    const auto header = reply.headers.find("retry-after");
    if (const auto seconds = whole_number(header)) {
        return clamped(*seconds);
    }
    if (const auto date = parse_http_date(header.value_or(""))) {
        return wait_until(*date, reply, now);
    }
    return std::nullopt;
}

std::optional<Millis> until_reset(const net::ClientReply& reply, TimePoint now) {
    constexpr std::int64_t kSecondsMax = 253'402'300'799; // the year 9999
    const auto reset = whole_number(reply.headers.find("x-ratelimit-reset"));
    if (!reset || *reset > kSecondsMax) {
        return std::nullopt;
    }
    return wait_until(from_ms(*reset * 1000), reply, now);
}

std::string_view what(Ask ask) {
    switch (ask) {
    case Ask::app:
        return "asking about the App";
    case Ask::installation:
        return "looking for the App's installation on";
    case Ask::token:
        return "getting a token for";
    case Ask::file:
        return "reading a file of";
    case Ask::permission:
        return "asking for someone's rights on";
    case Ask::hook_log:
        return "reading the delivery log";
    case Ask::redelivery:
        return "asking for a redelivery";
    case Ask::pulls:
        return "reading the pull requests of";
    case Ask::commit:
        return "asking for a commit of";
    case Ask::repository:
        return "asking about";
    case Ask::checks:
        return "looking for a check of";
    case Ask::comments:
        return "looking for a comment of";
    case Ask::check:
        return "writing a check of";
    case Ask::comment:
        return "writing a comment of";
    case Ask::issue_comment:
        return "writing a comment on an issue of";
    case Ask::branch:
        return "making a branch of";
    case Ask::new_file:
        return "writing a file of";
    case Ask::new_pull:
        return "opening a pull request of";
    case Ask::rerun:
        return "asking for a re-run of";
    case Ask::dispatch:
        return "dispatching to";
    }
    return "asking about";
}

std::string doing(const Asked& asked) {
    return asked.repo.empty() ? std::string(what(asked.ask))
                              : fmt::format("{} {}", what(asked.ask), asked.repo.text());
}

/// "dispatching to o/r: GitHub answered 403: Resource not accessible by integration"
std::string told(const Asked& asked, const net::ClientReply& reply) {
    const auto message = message_in(reply.body);
    return fmt::format(
        "{}: GitHub answered {}{}{}",
        doing(asked),
        reply.status,
        message.empty() ? "" : ": ",
        message
    );
}

/// What the owner can do about it; empty when only GitHub's sentence helps.
std::string_view advice(const Asked& asked, int status) {
    if (status >= 300 && status < 400) {
        return "it has moved to where Baton does not follow: put its new name into the allowlist";
    }
    const bool missing = status == 404 || status == 410;
    switch (asked.ask) {
    case Ask::installation:
        return missing ? "the App is not installed there: install it and redeliver" : "";
    case Ask::token:
        return "add the repository to the App's installation and accept the permissions it asks "
               "for, then redeliver";
    case Ask::dispatch:
        return missing || status == 403 ? "check that the repository exists and that the App may "
                                          "write its contents, then redeliver"
                                        : "";
    case Ask::check:
        return status == 403 ? "let the App write checks and accept that permission" : "";
    case Ask::comment:
        return status == 403 ? "let the App write pull requests and accept that permission" : "";
    case Ask::issue_comment:
        return status == 403 ? "let the App write issues and accept that permission" : "";
    case Ask::branch:
    case Ask::new_file:
        return status == 403 ? "let the App write contents there and accept that permission" : "";
    case Ask::new_pull:
        return status == 403 ? "let the App write pull requests there and accept that permission"
                             : "";
    case Ask::app:
    case Ask::file:
    case Ask::permission:
    case Ask::hook_log:
    case Ask::redelivery:
    case Ask::pulls:
    case Ask::commit:
    case Ask::repository:
    case Ask::checks:
    case Ask::comments:
    case Ask::rerun:
        return "";
    }
    return "";
}

bool has_effect(Ask ask) {
    return ask == Ask::dispatch || ask == Ask::check || ask == Ask::comment ||
           ask == Ask::issue_comment || ask == Ask::rerun;
}

Answer refusal(const net::ClientReply& reply, const Asked& asked) {
    auto detail = told(asked, reply);
    if (const auto help = advice(asked, reply.status); !help.empty()) {
        detail += fmt::format("; {}", help);
    }
    return {.outcome = Outcome::refused, .status = reply.status, .detail = std::move(detail)};
}

} // namespace

std::optional<TimePoint> limited_until(const net::ClientReply& reply, TimePoint now) {
    const bool spent = whole_number(reply.headers.find("x-ratelimit-remaining")) == 0;
    const auto told_wait = retry_after(reply, now);
    const bool limited =
        reply.status == 429 ||
        (reply.status == 403 && (told_wait || spent || speaks_of_limit(reply.body)));
    if (!limited) {
        return std::nullopt;
    }
    const auto reset = spent ? until_reset(reply, now) : std::nullopt;
    const Millis wait = told_wait ? *told_wait : reset.value_or(kLimitWait);
    return now + std::clamp<Millis>(wait, std::chrono::seconds(1), kLimitWaitMax);
}

domain::QuotaNews quota_news(const net::ClientReply& reply, TimePoint now) {
    domain::QuotaNews news{
        .answered = true,
        .limit = whole_number(reply.headers.find("x-ratelimit-limit")),
        .remaining = whole_number(reply.headers.find("x-ratelimit-remaining")),
        .held_until = limited_until(reply, now),
    };
    if (const auto wait = until_reset(reply, now)) {
        news.reset_at = now + std::clamp<Millis>(*wait, Millis{0}, kLimitWaitMax);
    }
    return news;
}

Answer answer_of(const net::ClientReply& reply, const Asked& asked) {
    const auto status = reply.status;
    if (status >= 200 && status < 300) {
        return {.outcome = Outcome::accepted, .status = status};
    }
    if (const auto until = limited_until(reply, asked.now)) {
        return {
            .outcome = Outcome::throttled,
            .status = status,
            .detail = told(asked, reply),
            .not_before = until
        };
    }
    if (status == 401) {
        return {
            .outcome = Outcome::unauthenticated, .status = status, .detail = told(asked, reply)
        };
    }
    if (asked.ask == Ask::dispatch &&
        (status == 413 || (status == 422 && speaks_of_size(reply.body)))) {
        return {.outcome = Outcome::too_large, .status = status, .detail = told(asked, reply)};
    }
    if (status == 408 || (status >= 500 && !has_effect(asked.ask))) {
        return {.outcome = Outcome::not_sent, .status = status, .detail = told(asked, reply)};
    }
    if (status >= 500) {
        return {.outcome = Outcome::unknown, .status = status, .detail = told(asked, reply)};
    }
    return refusal(reply, asked);
}

Answer answer_of(const net::ClientFailure& failure, const Asked& asked) {
    const bool perhaps = has_effect(asked.ask) && failure.maybe_sent;
    return {
        .outcome = perhaps ? Outcome::unknown : Outcome::not_sent,
        .detail = fmt::format("{}: {}", doing(asked), inert(failure.detail)),
    };
}

Answer answer_of(const RestReply& rest, const Asked& asked) {
    if (rest.held_until) {
        return {
            .outcome = Outcome::throttled,
            .detail = fmt::format("{}: {}", doing(asked), rest.reply.error().detail),
            .not_before = rest.held_until,
        };
    }
    return rest.reply ? answer_of(*rest.reply, asked) : answer_of(rest.reply.error(), asked);
}

Error error_of(const Answer& answer) {
    const auto code = [&] {
        switch (answer.outcome) {
        case Outcome::throttled:
            return Errc::throttled;
        case Outcome::unauthenticated:
            return Errc::unauthenticated;
        case Outcome::accepted:
        case Outcome::not_sent:
        case Outcome::unknown:
        case Outcome::withheld:
            return Errc::unavailable;
        case Outcome::too_large:
            return Errc::invalid;
        case Outcome::refused:
            break;
        }
        if (answer.status == 404 || answer.status == 410) {
            return Errc::not_found;
        }
        return answer.status == 403 ? Errc::forbidden : Errc::invalid;
    }();
    return {.code = code, .detail = answer.detail};
}

} // namespace baton::github
