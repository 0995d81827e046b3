#include "baton/app/from_config.hpp"

#include "baton/app/files.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/config/config.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/crypto/webhook_signature.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/profile.hpp"
#include "baton/domain/retry.hpp"
#include "baton/github/app_client.hpp"
#include "baton/github/credentials.hpp"
#include "baton/net/server.hpp"
#include "baton/obs/journal.hpp"
#include "baton/obs/line.hpp"
#include "baton/ports/operating.hpp"
#include "baton/ports/sink.hpp"
#include "baton/relay/relay.hpp"
#include "baton/sink/pytorch_hud.hpp"
#include "baton/wire/profile.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::app {

Result<std::shared_ptr<const crypto::SignatureKeys>> signature_keys(const config::Config& config) {
    std::vector<std::string> secrets;
    for (const auto& secret : config.github.webhook_secrets) {
        secrets.push_back(secret.reveal());
    }
    return crypto::SignatureKeys::make(secrets);
}

Result<github::AppIdentity> identity(const config::Config& config) {
    auto key = crypto::AppKey::parse(config.github.private_key.reveal());
    if (!key) {
        return fail(Errc::invalid, fmt::format("github.private_key: {}", key.error().detail));
    }
    return github::AppIdentity{.app_id = config.github.app_id, .key = *std::move(key)};
}

github::RestGithubOptions github_options(const config::Config& config) {
    return {.api_url = config.github.api_url, .pace = config.github.pace.value_or(0)};
}

std::vector<RepoName> repos_of(const config::Config& config) {
    std::vector<RepoName> repos;
    for (const auto& upstream : config.upstreams) {
        repos.push_back(upstream.repo);
    }
    return repos;
}

std::optional<net::TlsFiles> tls_files(const config::Config& config) {
    if (!config.tls) {
        return std::nullopt;
    }
    return net::TlsFiles{
        .certificate_pem = config.tls->certificate, .key_pem = config.tls->key.reveal()
    };
}

Result<std::optional<domain::Profile>> ladder_profile(const config::Levels& levels) {
    if (levels.profile.empty()) {
        return std::optional<domain::Profile>{};
    }
    if (const auto* builtin = wire::builtin_profile(levels.profile)) {
        return std::optional(*builtin);
    }
    if (!levels.profile.ends_with(".yml") && !levels.profile.ends_with(".yaml")) {
        return fail(
            Errc::invalid,
            fmt::format(
                "levels.profile: {} is not built in; {} is, or name a FILE.yml",
                inert(levels.profile),
                wire::kDefaultProfile
            )
        );
    }
    BATON_TRY(const auto text, read_file(levels.profile, limits::kConfigBytesMax));
    auto reading = wire::read_profile(text);
    if (!reading.profile) {
        const auto first = std::ranges::find(
            reading.findings, domain::Severity::error, &domain::Finding::severity
        );
        return fail(
            Errc::invalid,
            first == reading.findings.end() ? fmt::format("{}: unreadable", levels.profile)
                                            : domain::to_text(*first, levels.profile)
        );
    }
    return std::move(reading.profile);
}

std::map<RepoName, RepoName> probes_of(const std::vector<config::Upstream>& upstreams) {
    std::map<RepoName, RepoName> probes;
    for (const auto& upstream : upstreams) {
        if (upstream.probe) {
            probes.emplace(upstream.repo, *upstream.probe);
        }
    }
    return probes;
}

Result<relay::Relay::Settings>
relay_settings(const config::Config& config, InstanceId instance, bool shadow) {
    BATON_TRY(auto profile, ladder_profile(config.levels));
    return relay::Relay::Settings{
        .instance = std::move(instance),
        .retry = domain::RetryPolicy(config.retry),
        .start_timeout = config.start_timeout,
        .run_timeout = config.run_timeout,
        .gate = config.gate,
        .canary_every = config.canary_every.value_or(Millis{0}),
        .profile = std::move(profile),
        .day_length = config.levels.day,
        .probes = probes_of(config.upstreams),
        .page = config.public_url,
        .app_id = config.github.app_id,
        .recovery_every = config.recovery_every,
        .bodies_for = config.retention.bodies,
        .results_for = config.retention.results,
        .callbacks_per_minute = static_cast<int>(config.callbacks_per_minute),
        .mode = shadow ? ports::Mode::shadow : ports::Mode::live,
    };
}

Result<std::vector<std::shared_ptr<ports::Sink>>>
sinks(const config::Config& config, const boost::asio::any_io_executor& executor) {
    std::vector<std::shared_ptr<ports::Sink>> all;
    for (const auto& one : config.sinks) {
        switch (one.kind) {
        case config::SinkKind::pytorch_hud:
            BATON_TRY(
                auto hud,
                sink::PytorchHud::make(executor, {.url = one.url, .key = one.key.reveal()})
            );
            all.push_back(std::move(hud));
            break;
        }
    }
    return all;
}

obs::LogOptions log_options(const config::Log& log) {
    obs::LogOptions options;
    options.format =
        log.format == config::LogFormat::json ? obs::LogFormat::json : obs::LogFormat::text;
    switch (log.level) {
    case config::LogLevel::debug:
        options.from = obs::Loudness::debug;
        break;
    case config::LogLevel::info:
        options.from = obs::Loudness::info;
        break;
    case config::LogLevel::warn:
        options.from = obs::Loudness::warn;
        break;
    case config::LogLevel::error:
        options.from = obs::Loudness::error;
        break;
    }
    return options;
}

} // namespace baton::app
