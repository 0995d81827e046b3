#pragma once

#include "baton/net/client.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace baton::net::test {

using Reply = tl::expected<ClientReply, ClientFailure>;

/// A client with its event loop, called as if it were blocking.
class Caller {
public:
    explicit Caller(ClientOptions options) {
        auto made = Client::make(io_.get_executor(), std::move(options));
        EXPECT_TRUE(made) << made.error().detail;
        client_ = *std::move(made);
    }

    explicit Caller(std::uint16_t port, const std::string& path = "")
        : Caller(ClientOptions{.base_url = fmt::format("http://127.0.0.1:{}{}", port, path)}) {}

    Reply send(ClientRequest request, std::chrono::milliseconds wait = std::chrono::seconds(10)) {
        auto reply = boost::asio::co_spawn(
            io_, client_->send(std::move(request), wait), boost::asio::use_future
        );
        io_.restart();
        io_.run();
        return reply.get();
    }

    Reply get(std::string target, std::chrono::milliseconds wait = std::chrono::seconds(10)) {
        ClientRequest request;
        request.target = std::move(target);
        return send(std::move(request), wait);
    }

    Reply post(std::string target, std::string body) {
        ClientRequest request;
        request.method = "POST";
        request.target = std::move(target);
        request.body = std::move(body);
        return send(std::move(request));
    }

    boost::asio::io_context& io() { return io_; }

    Client& client() { return *client_; }

private:
    boost::asio::io_context io_{1};
    std::unique_ptr<Client> client_;
};

} // namespace baton::net::test
