#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/config/config.hpp"
#include "baton/crypto/webhook_signature.hpp"
#include "baton/domain/profile.hpp"
#include "baton/github/app_client.hpp"
#include "baton/github/credentials.hpp"
#include "baton/net/server.hpp"
#include "baton/obs/journal.hpp"
#include "baton/ports/sink.hpp"
#include "baton/relay/relay.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <map>
#include <memory>
#include <optional>
#include <vector>

/// What the configuration says, in the words of the part that needs it.
namespace baton::app {

Result<std::shared_ptr<const crypto::SignatureKeys>> signature_keys(const config::Config& config);

/// `invalid` names what is wrong with the private key.
Result<github::AppIdentity> identity(const config::Config& config);

github::RestGithubOptions github_options(const config::Config& config);

std::vector<RepoName> repos_of(const config::Config& config); // the upstreams

std::optional<net::TlsFiles> tls_files(const config::Config& config);

obs::LogOptions log_options(const config::Log& log);

/// The downstreams that prove the relay, by upstream.
std::map<RepoName, RepoName> probes_of(const std::vector<config::Upstream>& upstreams);

/// By what downstreams are judged; none: nobody is. `invalid` says what is wrong with the profile.
Result<std::optional<domain::Profile>> ladder_profile(const config::Levels& levels);

/// The same trouble.
Result<relay::Relay::Settings>
relay_settings(const config::Config& config, InstanceId instance, bool shadow);

/// Who is told of results; they run on `executor`.
Result<std::vector<std::shared_ptr<ports::Sink>>>
sinks(const config::Config& config, const boost::asio::any_io_executor& executor);

} // namespace baton::app
