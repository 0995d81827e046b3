// A reply of GitHub, or of whoever answers in its place: read within bounds, and what it means for
// a dispatch stays within what the retry rules can bear.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/retry.hpp"
#include "baton/github/answer.hpp"
#include "baton/github/http_date.hpp"
#include "baton/github/redirect.hpp"
#include "baton/net/client.hpp"
#include "baton/net/parsers.hpp"
#include "baton/net/url.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/system/error_code.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::promise;

constexpr std::size_t kBodyMax = 4096;
const TimePoint kNow = from_ms(1'794'000'000'000);

/// As the client reads: pieces as they come, then the end of the connection.
std::optional<net::ClientReply> read(std::string_view bytes, std::size_t step) {
    net::ReplyParser parser(kBodyMax, false);
    std::string buffer;
    while (!parser.is_done()) {
        boost::system::error_code ec;
        if (net::may_put(parser, buffer.size())) {
            buffer.erase(0, parser.put(boost::asio::buffer(buffer), ec));
        }
        if (parser.is_done()) {
            break;
        }
        if (ec && ec != boost::beast::http::error::need_more) {
            return std::nullopt;
        }
        if (bytes.empty()) {
            if (!parser.got_some()) {
                return std::nullopt;
            }
            parser.put_eof(ec);
            if (ec) {
                return std::nullopt;
            }
            break;
        }
        buffer.append(bytes.substr(0, step));
        bytes.remove_prefix(std::min(step, bytes.size()));
    }
    promise(parser.body.size() <= kBodyMax, "a reply is bounded");
    return net::ClientReply{
        .status = parser.status,
        .headers = std::move(parser.headers),
        .body = std::move(parser.body),
    };
}

void check_answer(const net::ClientReply& reply, github::Ask ask) {
    const github::Asked asked{.ask = ask, .repo = *RepoName::parse("o/r"), .now = kNow};
    const auto answer = github::answer_of(reply, asked);
    const bool good = reply.status >= 200 && reply.status < 300;
    promise(
        (answer.outcome == domain::Outcome::accepted) == good, "2xx is accepted, and nothing else"
    );
    promise(
        answer.outcome != domain::Outcome::unknown || ask == github::Ask::dispatch,
        "only a dispatch can have an unknown outcome"
    );
    promise(
        (answer.outcome == domain::Outcome::throttled) == answer.not_before.has_value(),
        "a limit says when it ends"
    );
    for (const char c : answer.detail) {
        promise(static_cast<unsigned char>(c) >= ' ', "what people are told is inert");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = fuzz::text_of(data, size);
    if (const auto date = github::parse_http_date(bytes)) {
        promise(to_rfc3339(*date).size() == 24, "a date is one that can be written");
    }
    static const auto api = *net::parse_url("https://ghe.example/api/v3");
    const auto target = github::moved_to(bytes, api, "/dispatches");
    promise(!target || *target > 0, "repositories have positive numbers");
    const auto reply = read(bytes, size / 512 + 1);
    promise(
        read(bytes, size + 1).has_value() == reply.has_value(),
        "where a reply is cut does not matter"
    );
    if (!reply) {
        return 0;
    }
    if (const auto until = github::limited_until(*reply, kNow)) {
        promise(*until >= kNow, "no limit ends in the past");
        promise(*until <= kNow + github::kLimitWaitMax, "no limit lasts longer than a day");
    }
    for (const auto ask : {github::Ask::dispatch, github::Ask::token, github::Ask::file}) {
        check_answer(*reply, ask);
    }
    return 0;
}
