#pragma once

#include "baton/async/blocking_pool.hpp"
#include "baton/config/config.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/text_source.hpp"
#include "baton/relay/relay.hpp"

#include <memory>
#include <vector>

namespace baton::app {

struct UpstreamSurroundings {
    ports::Github& github;
    async::BlockingPool& pool;
    std::vector<std::unique_ptr<ports::TextSource>>& sources; // where the lists come from is added
};

/// The upstreams of the configuration as the relay knows them.
std::vector<relay::Upstream>
upstreams_of(const config::Config& config, const UpstreamSurroundings& around);

} // namespace baton::app
