#include "baton/net/request_text.hpp"

#include "baton/net/client.hpp"
#include "baton/net/http.hpp"
#include "baton/net/response_text.hpp"
#include "baton/net/url.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace baton::net {

namespace {

bool is_ours(std::string_view name) {
    constexpr std::array<std::string_view, 5> kOurs{
        "host", "user-agent", "content-length", "connection", "transfer-encoding"
    };
    return std::ranges::any_of(kOurs, [name](auto ours) { return same_name(ours, name); });
}

bool is_target(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c > ' ' && c != '\x7f' && c != '#'; });
}

} // namespace

std::optional<std::string> fault_of(const ClientRequest& request) {
    if (!is_token(request.method)) {
        return "the method is not one word";
    }
    if (!request.target.starts_with('/') || !is_target(request.target)) {
        return "the target must start with a slash and have no blanks or control characters";
    }
    for (const auto& [name, value] : request.headers.all()) {
        if (!is_token(name) || !is_header_text(value)) {
            return "a header has a character that would break its line";
        }
    }
    return std::nullopt;
}

std::string head_of(const ClientRequest& request, const Url& base, std::string_view user_agent) {
    std::string head;
    const auto to = std::back_inserter(head);
    fmt::format_to(
        to,
        "{} {}{} HTTP/1.1\r\nHost: {}\r\nUser-Agent: {}\r\n",
        request.method,
        base.path,
        request.target,
        base.authority(),
        user_agent
    );
    for (const auto& [name, value] : request.headers.all()) {
        if (!is_ours(name)) {
            head.append(name).append(": ").append(value).append("\r\n");
        }
    }
    const auto& method = request.method;
    if (!request.body.empty() || method == "POST" || method == "PUT" || method == "PATCH") {
        fmt::format_to(to, "Content-Length: {}\r\n", request.body.size());
    }
    head += "\r\n";
    return head;
}

} // namespace baton::net
