#pragma once

#include "baton/app/system_clock.hpp"
#include "baton/async/blocking_pool.hpp"
#include "baton/base/result.hpp"
#include "baton/config/config.hpp"
#include "baton/oidc/token_identities.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/text_source.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace baton::app {

struct IdentitySurroundings {
    boost::asio::any_io_executor executor; // the relay's: keys are fetched there
    async::BlockingPool& pool;             // pipelines files are read there
    SystemClock& clock;                    // tokens are judged by its calendar
    ports::Journal& journal;
    std::vector<std::unique_ptr<ports::TextSource>>& sources; // outlive the identities
};

/// Who may call back, as the configuration says; nothing runs yet. nullptr: nobody. `invalid` names
/// the issuer whose address is of no use.
Result<std::unique_ptr<oidc::TokenIdentities>>
make_identities(const std::optional<config::Oidc>& oidc, const IdentitySurroundings& around);

} // namespace baton::app
