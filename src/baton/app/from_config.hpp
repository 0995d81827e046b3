#pragma once

#include "baton/base/result.hpp"
#include "baton/config/config.hpp"
#include "baton/crypto/webhook_signature.hpp"
#include "baton/github/app_client.hpp"
#include "baton/github/credentials.hpp"
#include "baton/obs/journal.hpp"

#include <memory>

/// What the configuration says, in the words of the part that needs it.
namespace baton::app {

Result<std::shared_ptr<const crypto::SignatureKeys>> signature_keys(const config::Config& config);

/// `invalid` names what is wrong with the private key.
Result<github::AppIdentity> identity(const config::Config& config);

github::RestGithubOptions github_options(const config::Config& config);

obs::LogOptions log_options(const config::Log& log);

} // namespace baton::app
