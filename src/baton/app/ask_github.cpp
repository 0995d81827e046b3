#include "baton/app/ask_github.hpp"

#include "baton/app/from_config.hpp"
#include "baton/app/system_clock.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/config/config.hpp"
#include "baton/github/app_client.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <string>
#include <utility>

namespace baton::app {

namespace {

/// `question` takes a github::RestGithub& and gives an awaitable Result<T>.
template <class T, class Question>
Result<T> ask(const config::Config& config, const Question& question) {
    BATON_TRY(auto app, identity(config));
    boost::asio::io_context loop{1};
    SystemClock clock(loop.get_executor());
    BATON_TRY(
        const auto github,
        github::RestGithub::make(
            loop.get_executor(), {.api_url = config.github.api_url}, std::move(app), clock
        )
    );
    auto answer = boost::asio::co_spawn(loop, question(*github), boost::asio::use_future);
    loop.run();
    return answer.get();
}

} // namespace

Result<HeadSha>
ask_head_of(const config::Config& config, const RepoName& repo, const std::string& ref) {
    return ask<HeadSha>(config, [&](github::RestGithub& github) {
        return github.head_of(repo, ref);
    });
}

Result<github::RepositoryIds> ask_ids_of(const config::Config& config, const RepoName& repo) {
    return ask<github::RepositoryIds>(config, [&](github::RestGithub& github) {
        return github.ids_of(repo);
    });
}

} // namespace baton::app
