// What a server says to a letter: a line with the status, a line with Retry-After, then the body.
// It is shown to people, so it may not hand our own secret to them.

#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/net/client.hpp"
#include "baton/sink/reply.hpp"

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

constexpr std::string_view kSecret = "s3cret";
constexpr std::size_t kToldMax = 1024;

void check(const tl::expected<net::ClientReply, net::ClientFailure>& reply) {
    const auto answer = sink::answer_in(reply, "the HUD", kSecret);
    promise(answer.status == (reply ? reply->status : 0), "an answer is what its status says");
    promise(fuzz::is_inert(answer.detail), "what people are told is inert");
    promise(answer.detail.size() <= kToldMax, "and bounded");
    promise(answer.detail.find(kSecret) == std::string::npos, "and has no secret of ours");
    promise(
        !answer.retry_after ||
            (*answer.retry_after >= Millis(0) && *answer.retry_after <= std::chrono::hours(24)),
        "nobody is sent away for longer than a day"
    );
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto rest = fuzz::text_of(data, size);
    constexpr std::int64_t kStatusMax = 999;
    const auto status = whole_number(fuzz::take_until(rest, '\n')).value_or(0);
    const auto word = fuzz::take_until(rest, '\n');
    net::ClientReply reply{
        .status = status <= kStatusMax ? static_cast<int>(status) : 0,
        .headers = {{"Retry-After", std::string(word)}},
        .body = std::string(rest),
    };
    check(reply);
    reply.body.insert(size % (reply.body.size() + 1), kSecret);
    check(reply);
    return 0;
}
