#include "baton/base/time.hpp"
#include "baton/crypto/app_jwt.hpp"
#include "baton/sim/api_limits.hpp"
#include "baton/sim/github_api.hpp"
#include "baton/sim/github_api_call.hpp"
#include "baton/sim/github_model.hpp"

#include <boost/json/object.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// Who may come in, and how often.
namespace baton::sim {

namespace json = boost::json;

namespace {

constexpr std::chrono::minutes kJwtLifeMax{10};

constexpr InstallationId kNobody{-1};
constexpr std::int64_t kNobodysLimit = 60; // told, never enforced: such requests get 401 anyway

std::int64_t seconds_of(TimePoint when) {
    return std::chrono::floor<std::chrono::seconds>(when).time_since_epoch().count();
}

/// GitHub's words and its wait for a secondary limit.
ApiReply limit_reply(int status, const ApiLimits::Refusal& refusal, TimePoint now) {
    auto reply = api_error(
        status,
        refusal.kind == LimitKind::content
            ? "You have exceeded a secondary rate limit and have been temporarily blocked from "
              "content creation. Please retry your request again later."
            : "You have exceeded a secondary rate limit. Please wait a few minutes before you try "
              "again."
    );
    const auto wait = std::chrono::ceil<std::chrono::seconds>(refusal.until - now);
    reply.headers.add("Retry-After", std::to_string(wait.count()));
    return reply;
}

ApiReply moved_reply(const std::string& url, bool reading) {
    const json::object body{
        {"message", "Moved Permanently"},
        {"url", url},
        {"documentation_url",
         "https://docs.github.com/rest/guides/best-practices-for-using-the-rest-api"},
    };
    auto reply = api_json(reading ? 301 : 307, body); // 307 keeps the method and the body
    reply.headers.add("Location", url);
    return reply;
}

} // namespace

std::optional<ApiReply> GithubApi::admit(Call& call) {
    auto credential = call.request.headers.find("Authorization").value_or("");
    for (const std::string_view scheme : {"Bearer ", "bearer ", "token "}) {
        if (credential.starts_with(scheme)) {
            credential.remove_prefix(scheme.size());
            break;
        }
    }
    if (credential.empty()) {
        return api_error(401, "Requires authentication");
    }
    if (call.match.route->asker == Asker::app) {
        if (auto refused = admit_app(call, credential)) {
            return refused;
        }
    } else if (auto refused = admit_token(call, credential)) {
        return refused;
    }
    if (auto refused = charge(call)) {
        return refused;
    }
    return call.match.route->of_repo ? admit_to_repo(call) : std::nullopt;
}

std::optional<ApiReply> GithubApi::admit_app(Call& call, std::string_view credential) const {
    const auto claims = crypto::verify_rs256(credential, app_key_);
    if (!claims) {
        return api_error(401, "A JSON web token could not be decoded");
    }
    if (claims->issuer != std::to_string(model_.options().app_id)) {
        return api_error(404, "Integration not found");
    }
    if (claims->issued_at > call.now) {
        return api_error(
            401,
            "'Issued at' claim ('iat') must be an Integer representing the time that the assertion "
            "was issued"
        );
    }
    if (claims->expires_at <= call.now) {
        return api_error(
            401,
            "'Expiration time' claim ('exp') must be a numeric value representing the future time "
            "at which "
            "the assertion expires"
        );
    }
    if (claims->expires_at > call.now + kJwtLifeMax) {
        return api_error(401, "'Expiration time' claim ('exp') is too far in the future");
    }
    call.payer = kTheApp;
    return std::nullopt;
}

std::optional<ApiReply> GithubApi::admit_token(Call& call, std::string_view credential) {
    const auto* const scope = tokens_.find(credential, call.now);
    if (scope == nullptr) {
        return api_error(401, "Bad credentials");
    }
    call.scope = *scope;
    call.payer = scope->installation;
    return std::nullopt;
}

std::optional<ApiReply> GithubApi::charge(Call& call) {
    const auto payer = call.payer.value_or(kNobody);
    const bool free_of_charge = call.match.route->name == "rate_limit";
    const auto& limit = model_.rate_limit(payer, call.now);
    if (!free_of_charge && limit.remaining() == 0) {
        limits_.note(payer, {.kind = LimitKind::primary, .until = limit.reset_at}, call.now);
        const auto id = static_cast<std::int64_t>(payer);
        const auto whose =
            payer == kTheApp ? std::string("app") : fmt::format("installation ID {}", id);
        return api_error(
            limits_.rules().status, fmt::format("API rate limit exceeded for {}.", whose)
        );
    }
    const auto refusal = limits_.enter({
        .who = payer,
        .route = call.match.route->name,
        .method = call.request.method,
        .now = call.now,
    });
    if (refusal) {
        return limit_reply(limits_.rules().status, *refusal, call.now);
    }
    call.entered = true;
    if (!free_of_charge) {
        model_.spend(payer, call.now);
    }
    return std::nullopt;
}

void GithubApi::add_rate_headers(
    ApiReply& reply, std::optional<InstallationId> payer, TimePoint now
) {
    auto& limit = payer ? model_.rate_limit(*payer, now) : model_.spend(kNobody, now);
    if (!payer) {
        limit.limit = kNobodysLimit;
    }
    if (reply.status == 304) {
        --limit.used; // an unchanged answer costs nothing
    }
    reply.headers.add("X-RateLimit-Limit", std::to_string(limit.limit));
    reply.headers.add("X-RateLimit-Remaining", std::to_string(limit.remaining()));
    reply.headers.add("X-RateLimit-Used", std::to_string(limit.used));
    reply.headers.add("X-RateLimit-Reset", std::to_string(seconds_of(limit.reset_at)));
    reply.headers.add("X-RateLimit-Resource", "core");
}

std::optional<ApiReply> GithubApi::admit_to_repo(const Call& call) const {
    const auto& match = call.match;
    if (call.repo == nullptr) {
        const auto id = match.name ? model_.moved(*match.name) : std::nullopt;
        if (!id) {
            return api_error(404, "Not Found");
        }
        auto url = fmt::format(
            "{}/repositories/{}{}",
            model_.options().site.api_url,
            static_cast<std::int64_t>(*id),
            match.behind_repo
        );
        if (!call.request.query.empty()) {
            url += "?" + call.request.query;
        }
        return moved_reply(url, call.request.method == "GET");
    }
    if (match.route->asker == Asker::app) {
        return std::nullopt; // the route itself says whether the App is there
    }
    const auto& repo = *call.repo;
    const auto& scope = call.scope;
    const bool covered = repo.installed && model_.installation_of(repo) == scope.installation &&
                         (!scope.repos || scope.repos->contains(repo.id));
    if (!covered) {
        const bool open_to_all = !repo.is_private && match.route->access == "read";
        return open_to_all ? std::nullopt : std::optional(api_error(404, "Not Found"));
    }
    if (!scope.allows(match.route->permission, match.route->access) &&
        !scope.allows(match.route->instead, match.route->access)) {
        return api_error(403, "Resource not accessible by integration");
    }
    return std::nullopt;
}

} // namespace baton::sim
