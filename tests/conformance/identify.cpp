// identify ISSUER AUDIENCE: for each line of standard input, a token of an issuer of Actions
// tokens, prints one line of JSON: {"repo":…,"run_id":…} or {"code":…,"detail":…}. What `baton
// serve` does with a callback's token, and in the same way: keys are fetched on one loop, tokens
// come on another.

#include "baton/app/identities.hpp"
#include "baton/app/system_clock.hpp"
#include "baton/async/blocking_pool.hpp"
#include "baton/async/task_group.hpp"
#include "baton/base/result.hpp"
#include "baton/config/config.hpp"
#include "baton/domain/caller.hpp"
#include "baton/oidc/token_identities.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/text_source.hpp"
#include "baton/wire/json_text.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace {

using namespace baton;
namespace asio = boost::asio;

/// Troubles go to standard error, so that a failing test shows them.
class ErrorLines final : public ports::Journal {
public:
    void note(const ports::JournalEntry& entry) override {
        if (const auto* trouble = std::get_if<ports::Trouble>(&entry)) {
            fmt::print(stderr, "{}\n", trouble->detail);
        }
    }
};

/// A loop and the thread that runs it.
struct Threaded {
    asio::io_context loop{1};
    asio::executor_work_guard<asio::io_context::executor_type> busy{loop.get_executor()};
    std::thread thread{[this] { loop.run(); }};

    void join() {
        busy.reset();
        thread.join();
    }
};

std::string line_about(const Result<domain::Caller>& caller) {
    if (!caller) {
        return fmt::format(
            R"({{"code":{},"detail":{}}})",
            wire::json_quoted(name_of(caller.error().code)),
            wire::json_quoted(caller.error().detail)
        );
    }
    return fmt::format(
        R"({{"repo":{},"run_id":{},"ids":[{},{}]}})",
        wire::json_quoted(caller->repo.text()),
        wire::json_quoted(caller->run_id),
        caller->ids->repository,
        caller->ids->owner
    );
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        fmt::print(stderr, "usage: identify ISSUER AUDIENCE\n");
        return 2;
    }
    Threaded relay;
    Threaded acceptor;
    async::BlockingPool pool(1);
    app::SystemClock clock(relay.loop.get_executor());
    ErrorLines journal;
    std::vector<std::unique_ptr<ports::TextSource>> sources;
    config::Oidc oidc{.audience = argv[2], .issuers = {config::Issuer{.issuer = argv[1]}}};
    const auto identities = app::make_identities(
        oidc,
        {.executor = relay.loop.get_executor(),
         .pool = pool,
         .clock = clock,
         .journal = journal,
         .sources = sources}
    );
    if (!identities) {
        fmt::print(stderr, "{}\n", identities.error().detail);
    } else {
        async::TaskGroup tasks(relay.loop.get_executor(), [](const std::string& surprise) {
            fmt::print(stderr, "{}\n", surprise);
        });
        asio::post(relay.loop, [&] { (*identities)->start(tasks); });
        for (std::string token; std::getline(std::cin, token);) {
            const auto caller =
                asio::co_spawn(acceptor.loop, (*identities)->identify(token), asio::use_future)
                    .get();
            fmt::print("{}\n", line_about(caller));
            std::fflush(stdout);
        }
        asio::post(relay.loop, [&] { tasks.cancel(); });
        asio::co_spawn(relay.loop, tasks.join(), asio::use_future).get();
    }
    acceptor.join();
    relay.join();
    pool.join();
    return identities ? 0 : 2;
}
