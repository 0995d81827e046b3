#include "baton/app/demo_setting.hpp"

#include "baton/app/demo_cast.hpp"
#include "baton/app/demo_checks.hpp"
#include "baton/app/demo_downstreams.hpp"
#include "baton/app/demo_platforms.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/config/allowlist_at.hpp"
#include "baton/config/config.hpp"
#include "baton/config/secret.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/gate.hpp"
#include "baton/domain/plan.hpp"
#include "baton/sim/oidc_issuer.hpp"
#include "baton/sim/sim_world.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::app::demo {

using namespace std::chrono_literals;

namespace {

// Nobody wants to watch five minutes of patience: the longest wait and the times after which a
// downstream counts as silent or timed out (and a dispatch of level L1 as over), or is not waited
// for by the gate, are those of a play.
constexpr Millis kLongestWait = 3s;
constexpr Millis kStartTimeout = 5s;
constexpr domain::GateRules kGate{.start = 4s, .run = 6s, .settle = 1s};
constexpr std::int64_t kCallbacksPerMinute = 100'000; // hours of CI are played in seconds
constexpr Millis kDay = 1s;                           // of the ladder

constexpr std::string_view kProfileFile = "/levels.yml";
constexpr std::string_view kProfile = R"(name: demo
version: "1"
text: a day is a second, and only silence lowers
at_once:
  - {id: once.silence, figure: silence, window: 7, below: 48h, least: 3, text: it answered within two days}
restore:
  - {id: back.answered, figure: answered, window: 4, at_least: 50%, least: 1, text: it answers}
moves:
  restore_after: 3
  frozen_share: 90%
)";

} // namespace

/// Until it ends and, when it is to be run again, until that begins.
Millis longest_job() {
    return kGate.run + kGate.start;
}

/// Until it starts, runs, settles and is held; once more when the infrastructure lost it.
Millis longest_gate() {
    return 2 * (kGate.start + kGate.run + kGate.settle) + kGate.start;
}

Result<void> write_profile(const std::string& folder) {
    const auto path = folder + std::string(kProfileFile);
    std::ofstream file(path);
    file << kProfile;
    if (!file.flush()) {
        return fail(Errc::unavailable, fmt::format("{} cannot be written", path));
    }
    return {};
}

namespace {

/// Links name the port before the relay opens it.
std::uint16_t free_port() {
    boost::asio::io_context none;
    const boost::asio::ip::tcp::endpoint any(boost::asio::ip::address_v4::loopback(), 0);
    return boost::asio::ip::tcp::acceptor(none, any).local_endpoint().port();
}

} // namespace

config::Config
config_for(const Place& place, const std::string& private_key, const std::string& secret) {
    config::Issuer issuer;
    issuer.issuer = place.github + std::string(sim::kOidcPath);
    config::Config config;
    config.oidc = config::Oidc{.audience = std::string(kAudience), .issuers = {std::move(issuer)}};
    config.listen = {.host = "127.0.0.1", .port = place.port == 0 ? free_port() : place.port};
    config.public_url = fmt::format("http://{}", config::to_text(config.listen));
    config.store = place.store;
    config.github.api_url = place.github;
    config.github.app_id = kAppId;
    config.github.private_key = config::Secret(private_key);
    config.github.webhook_secrets.emplace_back(secret);
    config::Upstream upstream;
    upstream.repo = repo_named(kUpstream);
    upstream.allowlist = config::AllowlistOnGithub{
        .repo = upstream.repo, .path = std::string(kAllowlistPath), .ref = "main"
    };
    upstream.comment = config::CommentWhen::trouble;
    config.upstreams.push_back(std::move(upstream));
    config.retry.longest = kLongestWait;
    config.start_timeout = kStartTimeout;
    config.run_timeout = kGate.run;
    config.gate = kGate;
    config.callbacks_per_minute = kCallbacksPerMinute;
    config.levels.profile = place.folder + std::string(kProfileFile);
    config.levels.day = kDay;
    config.quality.assessments = assessments_folder(place.folder);
    return config;
}

Result<void>
furnish(sim::SimWorld& world, const std::vector<domain::Downstream>& all, TimePoint now) {
    auto& model = world.model;
    const auto upstream = repo_named(kUpstream);
    BATON_TRY([[maybe_unused]] const auto made, model.create_repo({.name = upstream, .now = now}));
    for (const auto& downstream : all) {
        const bool installed = downstream.repo != repo_named(kNotInstalled);
        BATON_TRY(
            [[maybe_unused]] const auto id,
            model.create_repo({.name = downstream.repo, .installed = installed, .now = now})
        );
    }
    const std::string maintainer(kMaintainer);
    const std::string triager(kTriager);
    auto allowed = model.set_permission(upstream, Login(maintainer), domain::Permission::write);
    if (allowed) {
        allowed = model.set_permission(upstream, Login(triager), domain::Permission::triage);
    }
    if (allowed) {
        allowed = model.require_checks(upstream, {std::string(kGateName)});
    }
    if (!allowed) {
        return allowed;
    }
    return model.put_file({
        .repo = upstream,
        .ref = "main",
        .path = std::string(kAllowlistPath),
        .text = first_allowlist(),
    });
}

} // namespace baton::app::demo
