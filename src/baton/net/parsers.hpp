#pragma once

// Beast's incremental HTTP/1 parser, filling our own types. Included by the session and the client
// only: Beast stays in those two files.

#include "baton/base/limits.hpp"
#include "baton/net/http.hpp"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/verb.hpp>
#include <boost/optional/optional.hpp>
#include <boost/system/error_code.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace baton::net {

inline constexpr std::size_t kBodyPadding = 64; // simdjson reads so far behind the end

/// Makes room for `more` bytes and the padding, at least doubling so that many small steps stay
/// cheap.
inline void make_room(std::string& body, std::size_t more) {
    if (const auto need = body.size() + more + kBodyPadding; need > body.capacity()) {
        body.reserve(std::max(need, 2 * body.capacity()));
    }
}

/// Whether there is enough to ask the parser again. What is left of a chunked body is at least
/// "0\r\n\r\n", so fewer bytes cannot be its end; and Beast 1.81 ends the process when it has seen
/// the line of the last chunk and then gets fewer (mended later: boostorg/beast pull request 2861).
template <bool isRequest>
bool may_put(const boost::beast::http::basic_parser<isRequest>& parser, std::size_t bytes) {
    constexpr std::size_t kShortestEnd = 5;
    const bool in_chunks = parser.is_header_done() && parser.chunked();
    return bytes >= (in_chunks ? kShortestEnd : 1);
}

/// Reads one request. Stricter than Beast where two readers of one stream could disagree about
/// where a request ends: Content-Length at most once and as one number, Transfer-Encoding only as
/// "chunked" and not in HTTP/1.0, exactly one Host in HTTP/1.1. A body announced by Content-Length
/// is not fed to the parser: the session reads it straight into its place.
class RequestParser final : public boost::beast::http::basic_parser<true> {
public:
    RequestParser() {
        header_limit(limits::kHeaderBytesMax);
        body_limit(boost::none); // each route has its own, and 413 needs the head first
        head.headers.reserve(kUsualFields);
    }

    /// Whether the client understands an answer in chunks.
    bool knows_chunks() const { return version_ >= kHttp11; }

    RequestHead head;
    std::string body; // of a chunked request
    std::size_t body_max{0};
    bool expects_continue{false};
    bool expects_other{false};

private:
    using Text = boost::beast::string_view;
    using Code = boost::beast::error_code;
    using Fault = boost::beast::http::error;
    static constexpr std::size_t kUsualFields = 16;

    void on_request_impl(
        boost::beast::http::verb /*verb*/, Text method, Text target, int version, Code& ec
    ) override {
        version_ = version;
        head_bytes_ = method.size() + target.size();
        head.method.assign(method.data(), method.size());
        std::string_view path(target.data(), target.size());
        for (const std::string_view scheme : {"http://", "https://"}) {
            if (path.starts_with(scheme)) { // the form for proxies, which servers must take too
                path.remove_prefix(scheme.size());
                path.remove_prefix(std::min(path.find('/'), path.size()));
            }
        }
        if (!path.starts_with('/')) {
            ec = Fault::bad_target;
            return;
        }
        const auto mark = path.find('?');
        head.path = path.substr(0, mark);
        if (mark != std::string_view::npos) {
            head.query = path.substr(mark + 1);
        }
    }

    void on_response_impl(int /*code*/, Text /*reason*/, int /*version*/, Code& /*ec*/) override {}

    void on_field_impl(boost::beast::http::field field, Text name, Text value, Code& ec) override {
        // Beast's own limit counts what one call sees; a header sent drop by drop needs a sum.
        constexpr std::size_t kLineExtra = 4;
        head_bytes_ += name.size() + value.size() + kLineExtra;
        if (head_bytes_ > limits::kHeaderBytesMax) {
            ec = Fault::header_limit;
            return;
        }
        if (in_body_) {
            return; // a trailer is not a header: it comes too late to be believed
        }
        note(field, {value.data(), value.size()}, ec);
        head.headers.add({name.data(), name.size()}, {value.data(), value.size()});
    }

    void note(boost::beast::http::field field, std::string_view value, Code& ec) {
        namespace http = boost::beast::http;
        if (field == http::field::content_length) {
            if (++lengths_ > 1 || value.find(',') != std::string_view::npos) {
                ec = Fault::multiple_content_length;
            }
        } else if (field == http::field::transfer_encoding) {
            if (!same_name(value, "chunked") || version_ < kHttp11) {
                ec = Fault::bad_transfer_encoding;
            }
        } else if (field == http::field::host) {
            ++hosts_;
        } else if (field == http::field::expect) {
            expects_continue = same_name(value, "100-continue") && version_ >= kHttp11;
            expects_other = !same_name(value, "100-continue");
        }
    }

    void on_header_impl(Code& ec) override {
        if (hosts_ > 1 || (hosts_ == 0 && version_ >= kHttp11)) {
            ec = Fault::bad_field;
        }
    }

    void on_body_init_impl(const boost::optional<std::uint64_t>&, Code& /*ec*/) override {
        in_body_ = true;
    }

    std::size_t on_body_impl(Text /*bytes*/, Code& /*ec*/) override { return 0; }

    void on_chunk_header_impl(std::uint64_t size, Text /*extensions*/, Code& ec) override {
        if (size > body_max - body.size()) {
            ec = Fault::body_limit;
        }
    }

    std::size_t on_chunk_body_impl(std::uint64_t /*remain*/, Text bytes, Code& /*ec*/) override {
        make_room(body, bytes.size());
        body.append(bytes.data(), bytes.size());
        return bytes.size();
    }

    void on_finish_impl(Code& /*ec*/) override {}

    static constexpr int kHttp11 = 11;
    int version_{0};
    int lengths_{0};
    int hosts_{0};
    std::size_t head_bytes_{0};
    bool in_body_{false};
};

/// Reads one reply; headers and body are bounded.
class ReplyParser final : public boost::beast::http::basic_parser<false> {
public:
    ReplyParser(std::size_t body_max, bool no_body) {
        header_limit(limits::kReplyHeaderBytesMax);
        body_limit(body_max);
        eager(true);
        skip(no_body);
    }

    int status{0};
    Headers headers;
    std::string body;

private:
    using Text = boost::beast::string_view;
    using Code = boost::beast::error_code;

    void on_request_impl(
        boost::beast::http::verb, Text /*method*/, Text /*target*/, int /*version*/, Code& /*ec*/
    ) override {}

    void on_response_impl(int code, Text /*reason*/, int /*version*/, Code& /*ec*/) override {
        status = code;
    }

    void
    on_field_impl(boost::beast::http::field /*field*/, Text name, Text value, Code& ec) override {
        constexpr std::size_t kLineExtra = 4;
        head_bytes_ += name.size() + value.size() + kLineExtra;
        if (head_bytes_ > limits::kReplyHeaderBytesMax) {
            ec = boost::beast::http::error::header_limit;
        } else if (!in_body_) {
            headers.add({name.data(), name.size()}, {value.data(), value.size()});
        }
    }

    void on_header_impl(Code& /*ec*/) override {}

    void on_body_init_impl(const boost::optional<std::uint64_t>& length, Code& /*ec*/) override {
        constexpr std::uint64_t kReserveMax = 1U << 20U; // announced is not yet sent
        in_body_ = true;
        make_room(body, static_cast<std::size_t>(std::min(length.value_or(0), kReserveMax)));
    }

    std::size_t on_body_impl(Text bytes, Code& /*ec*/) override { return append(bytes); }

    void on_chunk_header_impl(std::uint64_t, Text /*extensions*/, Code& /*ec*/) override {}

    std::size_t on_chunk_body_impl(std::uint64_t, Text bytes, Code& /*ec*/) override {
        return append(bytes);
    }

    void on_finish_impl(Code& /*ec*/) override {}

    std::size_t append(Text bytes) {
        make_room(body, bytes.size());
        body.append(bytes.data(), bytes.size());
        return bytes.size();
    }

    std::size_t head_bytes_{0};
    bool in_body_{false};
};

} // namespace baton::net
