#pragma once

#include "baton/base/result.hpp"
#include "baton/config/config.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/github_writing.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/sink.hpp"
#include "baton/relay/commenter.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <string>
#include <vector>

namespace baton::app {

/// What receivers are made of; all of it outlives them.
struct ReceiverSurroundings {
    boost::asio::any_io_executor executor;
    ports::Github& github;
    ports::GithubWriting& writing;
    ports::Levels& levels;
    ports::Clock& clock;
    relay::Commenter::IsOpen is_open;
};

/// Who is told of notifications: webhooks, issues and mailboxes by the configuration, and who makes
/// pull requests of proposals where that is turned on.
Result<std::vector<std::shared_ptr<ports::Sink>>>
receivers(const config::Config& config, const ReceiverSurroundings& around);

/// What their letters are addressed to.
std::vector<std::string> receiver_names(const config::Config& config);

} // namespace baton::app
