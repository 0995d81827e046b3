#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/net/http.hpp"
#include "baton/sim/api_limits.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/token_book.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::sim {

/// One request to GitHub's REST API, whatever carried it here.
struct ApiRequest {
    std::string method{"GET"};
    std::string path; // without the query, percent-encoding not undone
    std::string query;
    net::Headers headers;
    std::string body;
};

using ApiReply = net::Response;

/// What a request is about, known before it is carried out: what faults and counters go by.
struct RouteHit {
    std::string_view name{"unknown"};
    std::optional<RepoName> repo; // by its present name
};

/// {"message", "documentation_url"}: the shape of every refusal.
ApiReply api_error(int status, std::string_view message);

/// The part of GitHub's REST API that Baton uses, over a model. Pure but for the model and the
/// tokens it hands out; one thread. Authentication is really checked: an App's JWT against its
/// public key and the clock, installation tokens by expiry, repositories and permissions. Routes by
/// name:
///
///     app                  GET  /app
///     installations        GET  /app/installations
///     installation         GET  /repos/{o}/{r}/installation
///     access_tokens        POST /app/installations/{id}/access_tokens
///     deliveries           GET  /app/hook/deliveries
///     delivery             GET  /app/hook/deliveries/{id}
///     redeliver            POST /app/hook/deliveries/{id}/attempts
///     rate_limit           GET  /rate_limit
///     repo                 GET  /repos/{o}/{r}
///     contents             GET  /repos/{o}/{r}/contents/{path}
///     permission           GET  /repos/{o}/{r}/collaborators/{user}/permission
///     pulls                GET  /repos/{o}/{r}/pulls
///     pull                 GET  /repos/{o}/{r}/pulls/{number}
///     commit               GET  /repos/{o}/{r}/commits/{ref}
///     branch               GET  /repos/{o}/{r}/branches/{name}
///     dispatches           POST /repos/{o}/{r}/dispatches
///     create_check         POST /repos/{o}/{r}/check-runs
///     update_check         PATCH /repos/{o}/{r}/check-runs/{id}
///     check_run            GET  /repos/{o}/{r}/check-runs/{id}
///     check_runs           GET  /repos/{o}/{r}/commits/{ref}/check-runs
///     check_suites         GET  /repos/{o}/{r}/commits/{ref}/check-suites
///     create_comment       POST /repos/{o}/{r}/issues/{number}/comments
///     update_comment       PATCH /repos/{o}/{r}/issues/comments/{id}
///     comments             GET  /repos/{o}/{r}/issues/{number}/comments
///     create_ref           POST /repos/{o}/{r}/git/refs
///     write_file           PUT  /repos/{o}/{r}/contents/{path}
///     create_pull          POST /repos/{o}/{r}/pulls
///     rerun                POST /repos/{o}/{r}/actions/runs/{id}/rerun, .../rerun-failed-jobs
///
/// Repository routes answer under /repositories/{id} as well. A renamed repository answers 301, or
/// 307 to anything but GET, with that address, as GitHub does.
class GithubApi {
public:
    /// `model` and `limits` outlive it.
    GithubApi(
        GithubModel& model, ApiLimits& limits, crypto::RsaPublicKey app_key, std::uint64_t seed
    );

    struct Answered {
        ApiReply reply;
        /// Who has one request more under way until the reply is sent: `limits` wants to hear of
        /// its end.
        std::optional<InstallationId> under_way;
    };

    RouteHit route_of(const ApiRequest& request) const;
    Answered take(const ApiRequest& request, TimePoint now);
    /// The same for callers to whom a request is over once it is answered.
    ApiReply handle(const ApiRequest& request, TimePoint now);

private:
    struct Call;
    struct Route;
    struct Match;
    static const std::vector<Route>& routes();
    static std::vector<Route> routes_about_repos();
    static std::vector<Route> routes_about_checks();
    static std::vector<Route> routes_about_branches();
    static std::optional<Match> match(const ApiRequest& request);

    // --- who asks
    std::optional<ApiReply> admit(Call& call);
    std::optional<ApiReply> admit_app(Call& call, std::string_view credential) const;
    std::optional<ApiReply> admit_token(Call& call, std::string_view credential);
    std::optional<ApiReply> charge(Call& call);
    std::optional<ApiReply> admit_to_repo(const Call& call) const;
    void add_rate_headers(ApiReply& reply, std::optional<InstallationId> payer, TimePoint now);
    const Repo* target_of(const Match& match) const;

    // --- answers as the App
    ApiReply app(const Call& call);
    ApiReply installations(const Call& call);
    ApiReply installation(const Call& call);
    ApiReply access_tokens(const Call& call);
    ApiReply deliveries(const Call& call);
    ApiReply delivery(const Call& call);
    ApiReply redeliver(const Call& call);

    // --- answers as an installation
    ApiReply rate_limit(const Call& call);
    ApiReply repo(const Call& call);
    ApiReply contents(const Call& call);
    ApiReply permission(const Call& call);
    ApiReply pulls(const Call& call);
    ApiReply pull(const Call& call);
    ApiReply commit(const Call& call);
    ApiReply branch(const Call& call);
    ApiReply dispatches(const Call& call);
    ApiReply create_check(const Call& call);
    ApiReply update_check(const Call& call);
    ApiReply check_run(const Call& call);
    ApiReply check_runs(const Call& call);
    ApiReply check_suites(const Call& call);
    ApiReply create_comment(const Call& call);
    ApiReply update_comment(const Call& call);
    ApiReply comments(const Call& call);
    ApiReply rerun(const Call& call);
    static std::optional<ApiReply> refused_on_issue(const Call& call, PrNumber number);
    ApiReply create_ref(const Call& call);
    ApiReply write_file(const Call& call);
    ApiReply create_pull(const Call& call);
    std::string address_of(const Call& call) const; // of the route, by the repository's number

    GithubModel& model_;
    ApiLimits& limits_;
    crypto::RsaPublicKey app_key_;
    TokenBook tokens_;
};

} // namespace baton::sim
