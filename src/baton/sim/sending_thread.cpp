#include "baton/sim/sending_thread.hpp"

#include "baton/async/task_group.hpp"
#include "baton/net/client.hpp"
#include "baton/net/url.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace baton::sim {

namespace asio = boost::asio;

class SendingThread::Impl {
public:
    Impl(std::string user_agent, std::function<void(std::string)> on_surprise)
        : user_agent_(std::move(user_agent))
        , tasks_(io_.get_executor(), std::move(on_surprise))
        , thread_([this] { io_.run(); }) {}

    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    ~Impl() { stop(); }

    void stop() {
        if (!thread_.joinable()) {
            return;
        }
        asio::post(io_, [this] {
            stopping_ = true;
            tasks_.cancel();
            asio::co_spawn(io_, tasks_.join(), [this](const std::exception_ptr&) { io_.stop(); });
        });
        thread_.join();
    }

    std::shared_ptr<net::Client> client_for(net::Url url) {
        url.path.clear();
        const auto base = url.text();
        auto& kept = clients_[base];
        if (!kept) {
            auto made = net::Client::make(
                io_.get_executor(), {.base_url = base, .user_agent = user_agent_, .ca_file = {}}
            );
            kept = made ? std::shared_ptr<net::Client>(*std::move(made)) : nullptr;
        }
        return kept;
    }

    asio::io_context& io() { return io_; }

    async::TaskGroup& tasks() { return tasks_; }

    bool stopping() const { return stopping_; }

private:
    std::string user_agent_;
    bool stopping_{false}; // on the thread
    asio::io_context io_;
    asio::executor_work_guard<asio::io_context::executor_type> work_{io_.get_executor()};
    std::map<std::string, std::shared_ptr<net::Client>> clients_;
    async::TaskGroup tasks_;
    std::thread thread_;
};

SendingThread::SendingThread(std::string user_agent, std::function<void(std::string)> on_surprise)
    : impl_(std::make_unique<Impl>(std::move(user_agent), std::move(on_surprise))) {}

SendingThread::~SendingThread() = default;

void SendingThread::post(std::function<void()> work) {
    asio::post(impl_->io(), std::move(work));
}

void SendingThread::stop() {
    impl_->stop();
}

asio::any_io_executor SendingThread::executor() {
    return impl_->io().get_executor();
}

void SendingThread::spawn(asio::awaitable<void> task) {
    impl_->tasks().spawn(std::move(task));
}

bool SendingThread::stopping() const {
    return impl_->stopping();
}

std::shared_ptr<net::Client> SendingThread::client_for(net::Url url) {
    return impl_->client_for(std::move(url));
}

} // namespace baton::sim
