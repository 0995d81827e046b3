// The head of a request, as strangers send it. Where it is cut on the wire must not change what is
// understood: two readers that disagree about one stream are how requests are smuggled.

#include "baton/base/limits.hpp"
#include "baton/net/http.hpp"
#include "baton/net/parsers.hpp"

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
#include <vector>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
namespace http = boost::beast::http;

constexpr std::size_t kBodyMax = 4096;

struct Understood {
    bool complete{false};
    bool refused{false};
    std::string method, path, query, body;
    std::vector<std::pair<std::string, std::string>> headers;
    bool keep_alive{false};
    bool chunked{false};
    std::optional<std::uint64_t> length;

    friend bool operator==(const Understood&, const Understood&) = default;
};

/// Reads as the session does: put, keep what is unused, put again with more.
class Reader {
public:
    /// False once nothing more is wanted.
    bool feed(std::string_view piece) {
        buffer_.append(piece);
        while (net::may_put(parser_, buffer_.size())) {
            boost::system::error_code ec;
            const bool was_complete = parser_.is_header_done();
            const auto used = parser_.put(boost::asio::buffer(buffer_), ec);
            buffer_.erase(0, used);
            if (ec && ec != http::error::need_more) {
                refused_ = true;
                return false;
            }
            if (parser_.is_header_done() && !parser_.chunked()) {
                return false;
            }
            if (parser_.is_done()) {
                return false;
            }
            if (parser_.is_header_done() && !was_complete) {
                parser_.body_max = kBodyMax;
                parser_.eager(true);
                continue; // what came with the head is body
            }
            if (ec == http::error::need_more || used == 0) {
                break;
            }
        }
        return true;
    }

    Understood understood() {
        const auto& head = parser_.head;
        fuzz::promise(parser_.body.size() <= kBodyMax, "a chunked body is bounded");
        if (refused_ || !parser_.is_header_done()) {
            return {.refused = refused_};
        }
        std::optional<std::uint64_t> length;
        if (const auto announced = parser_.content_length()) {
            length = *announced;
        }
        return {
            .complete = true,
            .method = head.method,
            .path = head.path,
            .query = head.query,
            .body = parser_.is_done() ? parser_.body : "", // of one that goes on, some may wait
            .headers = head.headers.all(),
            .keep_alive = parser_.keep_alive(),
            .chunked = parser_.chunked(),
            .length = length,
        };
    }

private:
    net::RequestParser parser_;
    std::string buffer_;
    bool refused_{false};
};

Understood whole(std::string_view bytes) {
    Reader reader;
    reader.feed(bytes);
    return reader.understood();
}

Understood in_pieces(std::string_view bytes, std::size_t step) {
    Reader reader;
    while (!bytes.empty() && reader.feed(bytes.substr(0, step))) {
        bytes.remove_prefix(std::min(step, bytes.size()));
    }
    return reader.understood();
}

void check(const Understood& head) {
    using fuzz::promise;
    std::size_t bytes = head.method.size() + head.path.size() + head.query.size();
    std::size_t lengths = 0;
    for (const auto& [name, value] : head.headers) {
        bytes += name.size() + value.size();
        lengths += net::same_name(name, "content-length") ? 1 : 0;
        promise(!name.empty(), "a header has a name");
        promise(
            (name + value).find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos,
            "no header has a line break inside"
        );
    }
    promise(bytes <= limits::kHeaderBytesMax, "a head is bounded");
    promise(head.path.starts_with('/'), "a path starts with a slash");
    promise(head.path.find('?') == std::string::npos, "the query is not part of the path");
    promise(lengths <= 1, "a length is announced once");
    promise(!(head.chunked && head.length), "a body ends in one way only");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size > 2 * limits::kHeaderBytesMax) {
        return 0;
    }
    const auto bytes = fuzz::text_of(data, size);
    const auto at_once = whole(bytes);
    if (at_once.complete) {
        check(at_once);
    }
    const std::size_t drop = size / 512 + 1; // drop by drop, but not for ever
    for (const std::size_t step : {drop, 7 * drop, size / 2 + 1}) {
        // Where it is refused may differ: in pieces a fault is seen later, or not before more
        // comes.
        const auto cut = in_pieces(bytes, step);
        fuzz::promise(
            cut.complete == at_once.complete,
            "where a request is cut does not change whether it is one"
        );
        fuzz::promise(!cut.complete || cut == at_once, "nor what it says");
    }
    return 0;
}
