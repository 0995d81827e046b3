#include "baton/net/response_text.hpp"

#include "baton/net/http.hpp"

#include <boost/beast/http/status.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>

namespace baton::net {

namespace {

constexpr int kFinalStatusMin = 200;
constexpr int kStatusMax = 599;
constexpr int kNoContent = 204;
constexpr int kNotModified = 304;

bool is_ours(std::string_view name) {
    constexpr std::array<std::string_view, 5> kOurs{
        "content-type",
        "content-length",
        "connection",
        "transfer-encoding",
        "x-content-type-options"
    };
    return std::ranges::any_of(kOurs, [name](auto ours) { return same_name(ours, name); });
}

} // namespace

bool is_header_text(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        return c == '\t' || (static_cast<unsigned char>(c) >= ' ' && c != '\x7f');
    });
}

bool is_token(std::string_view text) {
    constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::ranges::all_of(text, [kMarks](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               kMarks.find(c) != std::string_view::npos;
    });
}

bool is_sendable(const Response& response) {
    return response.status >= kFinalStatusMin && response.status <= kStatusMax &&
           is_header_text(response.content_type) &&
           std::ranges::all_of(response.headers.all(), [](const auto& field) {
               return is_token(field.first) && is_header_text(field.second);
           });
}

bool has_body(int status) {
    return status != kNoContent && status != kNotModified;
}

void append_head(std::string& out, const Response& response, Framing framing) {
    const auto reason =
        boost::beast::http::obsolete_reason(boost::beast::http::status(response.status));
    const auto to = std::back_inserter(out);
    fmt::format_to(
        to, "HTTP/1.1 {} {}\r\n", response.status, std::string_view(reason.data(), reason.size())
    );
    if (has_body(response.status)) {
        fmt::format_to(to, "Content-Type: {}\r\n", response.content_type);
        if (!response.more) {
            fmt::format_to(to, "Content-Length: {}\r\n", response.body.size());
        } else if (framing.chunks) {
            out += "Transfer-Encoding: chunked\r\n";
        }
    }
    out += "X-Content-Type-Options: nosniff\r\n";
    for (const auto& [name, value] : response.headers.all()) {
        if (!is_ours(name)) {
            out.append(name).append(": ").append(value).append("\r\n");
        }
    }
    // Said both ways: HTTP/1.0 clients assume the opposite of HTTP/1.1 ones.
    out += framing.keep_alive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
}

std::string chunk_of(std::string_view piece) {
    return fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
}

Response refusal(int status, std::string_view detail) {
    Response response;
    response.status = status;
    response.body = fmt::format("{{\"detail\":\"{}\"}}", detail);
    return response;
}

} // namespace baton::net
