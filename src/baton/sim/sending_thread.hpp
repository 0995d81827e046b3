#pragma once

#include "baton/net/client.hpp"
#include "baton/net/url.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>

namespace baton::sim {

/// A thread of its own for what the simulator sends to others, with one client per host, kept: the
/// relay sees long-lived connections as it would in earnest.
class SendingThread {
public:
    SendingThread(std::string user_agent, std::function<void(std::string)> on_surprise);
    SendingThread(const SendingThread&) = delete;
    SendingThread& operator=(const SendingThread&) = delete;
    ~SendingThread(); // stops

    // --- any thread
    void post(std::function<void()> work);
    /// Breaks off what is under way and joins. Idempotent.
    void stop();

    // --- on the thread
    boost::asio::any_io_executor executor();
    void spawn(boost::asio::awaitable<void> task);
    bool stopping() const;
    /// nullptr for an address that Baton may not talk to.
    std::shared_ptr<net::Client> client_for(net::Url url);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace baton::sim
