#pragma once

#include "baton/async/budget.hpp"
#include "baton/base/ids.hpp"
#include "baton/net/client.hpp"
#include "baton/net/http.hpp"
#include "baton/net/url.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace baton::github {

using async::Budget;

/// One request to GitHub, but for who asks.
struct RestCall {
    std::string method{"GET"};
    RepoName repo;    // empty: `tail` is the whole target
    std::string tail; // after /repos/{owner}/{repo}: "/dispatches"
    std::string accept{"application/vnd.github+json"};
    net::Headers extra;
    std::string body;
};

struct RestReply {
    tl::expected<net::ClientReply, net::ClientFailure> reply{net::ClientReply{}};
    std::optional<std::int64_t> repo_id; // of the repository that we were redirected to

    /// 0 without a reply.
    int status() const { return reply ? reply->status : 0; }
};

/// GitHub's manners: its headers, and redirects of renamed repositories (section 7: within api_url,
/// by the number of the repository, at most three, method and body kept). A redirect that is not
/// followed is returned as it came.
class Rest {
public:
    static constexpr int kRedirectsMax = 3;

    Rest(net::Client* client, net::Url api)
        : client_(client)
        , api_(std::move(api)) {}

    boost::asio::awaitable<RestReply> send(RestCall call, std::string token, Budget budget);

private:
    net::Client* client_;
    net::Url api_;
};

} // namespace baton::github
