#include "baton/app/hud.hpp"

#include "baton/api/hud.hpp"
#include "baton/api/pages.hpp"
#include "baton/api/stream.hpp"
#include "baton/base/ids.hpp"
#include "baton/config/config.hpp"
#include "baton/hud/desk.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/overview.hpp"
#include "baton/net/server.hpp"
#include "baton/relay/allowlist_book.hpp"

#include <boost/asio/awaitable.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace baton::app {

namespace asio = boost::asio;

namespace {

std::map<RepoName, std::string> gate_names(const config::Config& config) {
    std::map<RepoName, std::string> names;
    for (const auto& upstream : config.upstreams) {
        names.emplace(upstream.repo, upstream.check_prefix + "/gate");
    }
    return names;
}

std::vector<std::string> tokens_of(const config::Config& config) {
    std::vector<std::string> tokens;
    tokens.reserve(config.admin_tokens.size());
    for (const auto& token : config.admin_tokens) {
        tokens.push_back(token.reveal());
    }
    return tokens;
}

} // namespace

std::string github_page(const std::string& api_url) {
    constexpr std::string_view kEnterprise = "/api/v3";
    if (api_url == "https://api.github.com") {
        return "https://github.com";
    }
    return api_url.ends_with(kEnterprise) ? api_url.substr(0, api_url.size() - kEnterprise.size())
                                          : "";
}

Hud::Hud(Surroundings around)
    : around_(around)
    , started_at_(around_.clock.now())
    , desk_({
          .store = around_.store,
          .views = around_.views,
          .clock = around_.clock,
          .lists = [this] { return lists(); },
          .relay = [this] { return relay_state(); },
          .gate_names = gate_names(around_.config),
      })
    , admins_(tokens_of(around_.config))
    , hub_({
          .views = around_.views,
          .clock = around_.clock,
          .shown = [this] { return desk_.shown(); },
      }) {}

std::vector<net::Route> Hud::routes() {
    auto all = api::hud_routes({
        .desk = desk_,
        .store = around_.store,
        .views = around_.views,
        .clock = around_.clock,
        .admins = admins_,
        .github_url = github_page(around_.config.github.api_url),
    });
    all.push_back(api::stream_route({.hub = hub_, .views = around_.views}));
    std::ranges::move(api::page_routes(api::embedded_pages()), std::back_inserter(all));
    return all;
}

asio::awaitable<void> Hud::run() {
    return hub_.run();
}

void Hud::use_tokens(const config::Config& fresh) {
    admins_.replace(tokens_of(fresh));
}

void Hud::close() {
    hub_.close();
}

std::vector<hud::ListInForce> Hud::lists() const {
    std::vector<hud::ListInForce> all;
    for (const auto& status : around_.allowlists.status()) {
        all.push_back({
            .upstream = status.upstream,
            .allowlist = around_.allowlists.find(status.upstream),
            .trouble = status.trouble,
        });
    }
    return all;
}

hud::RelayState Hud::relay_state() const {
    return {
        .parts = around_.readiness.parts(),
        .mode = around_.shadow ? "shadow" : "live",
        .version = BATON_VERSION,
        .started_at = started_at_,
    };
}

} // namespace baton::app
