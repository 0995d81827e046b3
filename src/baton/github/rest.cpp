#include "baton/github/rest.hpp"

#include "baton/base/result.hpp"
#include "baton/github/redirect.hpp"
#include "baton/net/client.hpp"
#include "baton/net/http.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace baton::github {

namespace asio = boost::asio;

namespace {

bool is_redirect(int status) {
    return status == 301 || status == 302 || status == 307 || status == 308;
}

std::string target_of(const RestCall& call, std::optional<std::int64_t> repo_id) {
    if (call.repo.empty()) {
        return call.tail;
    }
    if (repo_id) {
        return fmt::format("/repositories/{}{}", *repo_id, call.tail);
    }
    return fmt::format(
        "/repos/{}{}", call.repo.text(), call.tail
    ); // a RepoName has no character to encode
}

net::ClientRequest
request_of(const RestCall& call, const std::string& token, std::optional<std::int64_t> repo_id) {
    net::ClientRequest request{
        .method = call.method,
        .target = target_of(call, repo_id),
        .headers = call.extra,
        .body = call.body,
    };
    request.headers.add("Accept", call.accept);
    request.headers.add("X-GitHub-Api-Version", "2022-11-28");
    request.headers.add("Authorization", "Bearer " + token);
    if (!call.body.empty()) {
        request.headers.add("Content-Type", "application/json");
    }
    return request;
}

} // namespace

asio::awaitable<RestReply> Rest::send(RestCall call, std::string token, Budget budget) {
    RestReply answer;
    for (int hop = 0; hop <= kRedirectsMax; ++hop) {
        const auto wait = budget.left();
        if (budget.spent()) {
            answer.reply = tl::unexpected(
                net::ClientFailure{.code = Errc::timed_out, .detail = "no time left to ask"}
            );
            co_return answer;
        }
        auto request = request_of(call, token, answer.repo_id);
        answer.reply = co_await client_->send(std::move(request), wait);
        if (!is_redirect(answer.status()) || call.repo.empty()) {
            co_return answer;
        }
        const auto location = answer.reply->headers.find("location");
        const auto repo_id = moved_to(location.value_or(""), api_, call.tail);
        if (!repo_id || (answer.repo_id && *answer.repo_id != *repo_id)) {
            co_return answer; // elsewhere, or on to another repository: not ours to follow
        }
        answer.repo_id = repo_id;
    }
    co_return answer;
}

} // namespace baton::github
