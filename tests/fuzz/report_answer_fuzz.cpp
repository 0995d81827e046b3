// What `baton report` hears in somebody's CI job: a line with the status, a line with Retry-After
// or the job's name, then the body of a relay, of a token endpoint, or a matrix.

#include "baton/base/draw.hpp"
#include "baton/base/forms.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/net/client.hpp"
#include "baton/report/answer.hpp"
#include "baton/report/ci.hpp"
#include "baton/report/token.hpp"
#include "baton/wire/json_text.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::promise;

constexpr std::size_t kToldMax = 1024; // of one sentence, as `inert` writes it

void check_told(const std::string& told) {
    promise(fuzz::is_inert(told), "what people are told is inert");
    promise(told.size() <= kToldMax, "and bounded");
}

void check_answer(const net::ClientReply& reply) {
    constexpr std::size_t kNotesMax = 20;
    const auto answer = report::answer_in(reply);
    promise(answer.http_status == reply.status, "an answer is what its status says");
    promise(answer.notes.size() <= kNotesMax, "notes are bounded");
    check_told(answer.status);
    check_told(answer.detail);
    for (const auto& note : answer.notes) {
        check_told(note);
    }
    promise(
        !answer.retry_after ||
            (*answer.retry_after >= Millis(0) && *answer.retry_after <= std::chrono::hours(24)),
        "nobody is sent away for longer than a day"
    );
    for (const std::uint64_t bits : {std::uint64_t{0}, ~std::uint64_t{0}}) {
        const report::Patience patience;
        const auto next = report::decide(answer, {.tries = 1}, patience, Draw{.bits = bits});
        promise(
            !answer.accepted() || next.move == report::Move::stop,
            "what is accepted is not sent again"
        );
        promise(
            next.wait >= Millis(0) && next.wait < patience.timeout, "no wait outlasts patience"
        );
    }
}

void check_token(const net::ClientReply& reply) {
    const auto token = report::token_in(reply);
    if (!token) {
        check_told(token.error().detail);
        return;
    }
    promise(reply.status == 200, "a token comes with a 200");
    promise(!token->empty() && is_visible_ascii(*token), "a token can stand in a header");
    promise(report::checked_token(*token).value_or("") == *token, "and is one");
    promise(reply.body.size() > token->size(), "it was sent");
}

/// Whatever follows it, a token is not repeated to people.
void check_secret(std::string_view text) {
    constexpr std::string_view kSecret = "eyJ-s3cret";
    const auto value = fmt::format("{}{}", kSecret, text);
    const auto body = fmt::format(R"({{"value":{}}})", wire::json_quoted(value));
    const auto token = report::token_in({.status = 200, .headers = {}, .body = body});
    promise(
        token || token.error().detail.find(kSecret) == std::string::npos, "no error has the token"
    );
    promise(!token || *token == trimmed(value), "a token is the one that was sent");
}

void check_leg(std::string_view job, const std::string& matrix) {
    const auto leg = report::leg_name(job, matrix);
    if (!leg) {
        promise(leg.error().code == Errc::invalid, "a matrix that is no JSON is invalid");
        check_told(leg.error().detail);
        return;
    }
    promise(leg->starts_with(job), "a leg is one of its job");
    const auto rest = std::string_view(*leg).substr(job.size());
    promise(
        rest.empty() || (rest.starts_with(" (") && rest.ends_with(")")),
        "and says which, in brackets"
    );
    constexpr std::size_t kSpelling = 4; // 1.5 is written 1.5E0
    promise(rest.size() <= kSpelling * matrix.size() + kSpelling, "no more than the matrix says");
    const auto again = report::leg_name(job, "\n " + matrix + " \n");
    promise(again.value_or("") == *leg, "blanks around it say nothing");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto rest = fuzz::text_of(data, size);
    constexpr std::int64_t kStatusMax = 999;
    const auto status = whole_number(fuzz::take_until(rest, '\n')).value_or(0);
    const auto word = fuzz::take_until(rest, '\n');
    const net::ClientReply reply{
        .status = status <= kStatusMax ? static_cast<int>(status) : 0,
        .headers = {{"Retry-After", std::string(word)}},
        .body = std::string(rest),
    };
    check_answer(reply);
    check_token(reply);
    check_secret(rest);
    check_leg(word, reply.body);
    return 0;
}
