#include "baton/api/admins.hpp"

#include "baton/api/problem.hpp"
#include "baton/crypto/constant_time.hpp"
#include "baton/net/http.hpp"

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::api {

void Admins::replace(std::vector<std::string> tokens) {
    const std::scoped_lock lock(mutex_);
    tokens_ = std::move(tokens);
}

std::optional<net::Response> Admins::refusal(const net::RequestHead& request) const {
    constexpr std::string_view kBearer = "Bearer ";
    const auto header = request.headers.find("Authorization").value_or("");
    const auto shown = header.starts_with(kBearer) ? header.substr(kBearer.size()) : "";
    const std::scoped_lock lock(mutex_);
    bool known = false;
    for (const auto& token : tokens_) { // all of them, so that the time tells nothing
        known = crypto::equal_in_constant_time(shown, token) || known;
    }
    if (known && !shown.empty() && request.headers.count("Authorization") == 1) {
        return std::nullopt;
    }
    auto response = problem(
        401,
        "Not allowed",
        tokens_.empty() ? "this relay has no admin tokens: set admin_tokens in its configuration"
                        : "send an admin token of this relay as `Authorization: Bearer TOKEN`"
    );
    response.headers.add("WWW-Authenticate", "Bearer");
    return response;
}

} // namespace baton::api
