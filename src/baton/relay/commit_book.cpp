#include "baton/relay/commit_book.hpp"

#include "baton/async/deadline.hpp"
#include "baton/async/task_group.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/time.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/experimental/concurrent_channel.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

using Commit = std::pair<RepoName, HeadSha>;
using Answer =
    asio::experimental::concurrent_channel<void(boost::system::error_code, std::optional<bool>)>;

/// Tells nullopt when it dies untold: whoever asked is never left waiting.
class Reply {
public:
    explicit Reply(std::shared_ptr<Answer> answer)
        : answer_(std::move(answer)) {}

    Reply(Reply&&) = default;
    Reply& operator=(Reply&&) = delete;
    Reply(const Reply&) = delete;
    Reply& operator=(const Reply&) = delete;

    ~Reply() { tell(std::nullopt); }

    void tell(std::optional<bool> known) {
        if (const auto answer = std::exchange(answer_, nullptr)) {
            answer->try_send(boost::system::error_code{}, known);
        }
    }

private:
    std::shared_ptr<Answer> answer_;
};

} // namespace

struct CommitBook::State {
    struct Memory {
        bool known{false};
        TimePoint until;
    };

    explicit State(Surroundings surroundings)
        : around(std::move(surroundings))
        , tasks(around.executor, [](const std::string&) {}) {}

    std::optional<bool> recall(const Commit& commit) const {
        const auto found = remembered.find(commit);
        if (found == remembered.end() || around.clock.now() >= found->second.until) {
            return std::nullopt;
        }
        return found->second.known;
    }

    asio::awaitable<void> ask(Commit commit, Reply reply) {
        if (const auto known = recall(commit)) {
            reply.tell(known);
            co_return;
        }
        auto asking = around.github.has_commit(commit.first, commit.second);
        auto time_up = around.clock.sleep_until(around.clock.now() + limits::kCommitWait);
        const auto asked = co_await async::with_deadline(std::move(asking), std::move(time_up));
        if (!asked || !*asked) {
            co_return;
        }
        if (remembered.size() >= limits::kCommitsRememberedMax) {
            remembered.clear(); // rare, and only costs questions
        }
        const bool known = **asked;
        const Millis keep =
            known ? Millis{limits::kCommitRemembered} : Millis{limits::kNoCommitRemembered};
        remembered[commit] = {.known = known, .until = around.clock.now() + keep};
        reply.tell(known);
    }

    Surroundings around;
    async::TaskGroup tasks;
    std::map<Commit, Memory> remembered;
    bool closed{false};
};

CommitBook::CommitBook(Surroundings around)
    : state_(std::make_shared<State>(std::move(around))) {}

CommitBook::~CommitBook() = default;

asio::awaitable<std::optional<bool>> CommitBook::has(RepoName upstream, HeadSha commit) {
    // On the book's executor: the answer may come when the asker's is gone.
    const auto answer = std::make_shared<Answer>(state_->around.executor, 1);
    asio::post(
        state_->around.executor,
        [state = state_,
         reply = Reply(answer),
         which = Commit(std::move(upstream), std::move(commit))]() mutable {
            if (!state->closed) {
                state->tasks.spawn(state->ask(std::move(which), std::move(reply)));
            }
        }
    );
    const auto [error, known] = co_await answer->async_receive(asio::as_tuple(asio::use_awaitable));
    if (error) {
        // The caller was cancelled; the channel has a word of its own for that, which nobody
        // expects.
        throw boost::system::system_error(asio::error::operation_aborted);
    }
    co_return known;
}

asio::awaitable<void> CommitBook::close() {
    state_->closed = true;
    state_->tasks.cancel();
    co_await state_->tasks.join();
}

} // namespace baton::relay
