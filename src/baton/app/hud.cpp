#include "baton/app/hud.hpp"

#include "baton/api/hud.hpp"
#include "baton/api/pages.hpp"
#include "baton/api/stream.hpp"
#include "baton/app/from_config.hpp"
#include "baton/app/quality_files.hpp"
#include "baton/app/receivers.hpp"
#include "baton/base/ids.hpp"
#include "baton/config/config.hpp"
#include "baton/hud/desk.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/overview.hpp"
#include "baton/hud/quality_shelf.hpp"
#include "baton/net/server.hpp"
#include "baton/relay/allowlist_book.hpp"
#include "baton/sink/pytorch_hud.hpp"

#include <boost/asio/awaitable.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

std::vector<std::string> sink_names(const config::Config& config, bool shadow) {
    std::vector<std::string> names;
    if (shadow) {
        return names; // it tells nobody
    }
    for (const auto& sink : config.sinks) {
        switch (sink.kind) {
        case config::SinkKind::pytorch_hud:
            names.emplace_back(sink::PytorchHud::kName);
        }
    }
    const auto receivers = receiver_names(config);
    names.insert(names.end(), receivers.begin(), receivers.end());
    return names;
}

/// As the kernel tells it: the second number of statm, in pages.
std::optional<std::size_t> resident_bytes() {
    std::ifstream statm("/proc/self/statm");
    std::size_t size = 0;
    std::size_t resident = 0;
    const auto page = ::sysconf(_SC_PAGESIZE);
    if (!(statm >> size >> resident) || page <= 0) {
        return std::nullopt;
    }
    return resident * static_cast<std::size_t>(page);
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
    : around_(std::move(around))
    , started_at_(around_.clock.now())
    , desk_({
          .store = around_.store,
          .views = around_.views,
          .operators = around_.operators,
          .levels = around_.levels,
          .clock = around_.clock,
          .lists = [this] { return lists(); },
          .relay = [this] { return relay_state(); },
          .gate_names = gate_names(around_.config),
          .probes = probes_of(around_.config.upstreams),
          .ladder = around_.ladder,
          .gate = around_.config.gate,
      })
    , admins_(tokens_of(around_.config))
    , actors_({.admins = admins_, .clock = around_.clock, .journal = around_.journal})
    , hub_({
          .views = around_.views,
          .clock = around_.clock,
          .shown = [this] { return desk_.shown(); },
      })
    , refusals_({
          .operators = around_.operators,
          .clock = around_.clock,
          .journal = around_.journal,
      }) {
    read_quality(around_.config.quality);
}

std::vector<net::Route> Hud::routes() {
    auto all = api::hud_routes({
        .desk = desk_,
        .store = around_.store,
        .views = around_.views,
        .operators = around_.operators,
        .clock = around_.clock,
        .actors = actors_,
        .github_url = github_page(around_.config.github.api_url),
        .public_url = around_.config.public_url,
        .upstreams = repos_of(around_.config),
        .shadow = around_.shadow,
        .facts = [this] { return facts(); },
        .wake = around_.wake,
        .quality = [this] { return quality(); },
    });
    all.push_back(api::stream_route({.hub = hub_, .views = around_.views}));
    std::ranges::move(api::page_routes(api::embedded_pages()), std::back_inserter(all));
    return all;
}

void Hud::start(async::TaskGroup& group) {
    group.spawn(hub_.run());
    group.spawn(refusals_.run());
    group.spawn(watch_quotas());
}

/// Quotas are the relay's own and may only be looked at from its executor; pages ask from others.
asio::awaitable<void> Hud::watch_quotas() {
    constexpr std::chrono::seconds kBetweenLooks{2};
    for (;;) {
        auto views = around_.github.quotas().views(around_.clock.now());
        {
            const std::scoped_lock lock(mutex_);
            quotas_ = std::move(views);
        }
        co_await around_.clock.sleep_until(around_.clock.now() + kBetweenLooks);
    }
}

api::RelayFacts Hud::facts() const {
    api::RelayFacts facts{
        .state = relay_state(),
        .quotas = {},
        .sinks = sink_names(around_.config, around_.shadow),
        .allowlists = around_.allowlists.status(),
        .listeners = hub_.listeners(),
        .refusals_dropped = refusals_.dropped(),
        .resident_bytes = resident_bytes(),
    };
    const std::scoped_lock lock(mutex_);
    facts.quotas = quotas_;
    return facts;
}

void Hud::reload(const config::Config& fresh) {
    admins_.replace(tokens_of(fresh));
    read_quality(fresh.quality);
}

void Hud::read_quality(const config::Quality& folders) {
    auto shelf =
        std::make_shared<const hud::QualityShelf>(hud::shelf_of(read_quality_texts(folders)));
    const std::scoped_lock lock(mutex_);
    quality_ = std::move(shelf);
}

std::shared_ptr<const hud::QualityShelf> Hud::quality() const {
    const std::scoped_lock lock(mutex_);
    return quality_;
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
        .actions = !admins_.empty(),
    };
}

} // namespace baton::app
