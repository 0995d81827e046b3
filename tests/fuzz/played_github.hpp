#pragma once

#include "baton/async/task_group.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/github/app_client.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "support/manual_clock.hpp"

namespace baton::fuzz {

/// A GitHub on the loopback and the adapter that asks it, on one loop under a clock that stands
/// still. It gives tokens and answers everything else with 200 and what it was told to say.
class PlayedGithub {
public:
    PlayedGithub() {
        tasks_.spawn(accept());
        const auto pair = crypto::make_rsa_key_pair();
        github_ = github::RestGithub::make(
                      loop_.get_executor(),
                      {.api_url = fmt::format("http://{}", host()), .ca_file = ""},
                      {.app_id = kAppId, .key = crypto::AppKey::parse(pair.private_pem).value()},
                      clock_
        )
                      .value();
    }

    ~PlayedGithub() {
        github_.reset();
        tasks_.cancel();
        boost::asio::co_spawn(loop_, tasks_.join(), [](const std::exception_ptr& thrown) {
            promise(!thrown, "the server ends quietly");
        });
        loop_.restart();
        loop_.run();
    }

    PlayedGithub(const PlayedGithub&) = delete;
    PlayedGithub& operator=(const PlayedGithub&) = delete;

    static constexpr std::int64_t kAppId = 12345;

    std::string body;         // of every answer but those that give tokens
    std::string link;         // its `Link`; empty: none
    std::string installation; // empty: a good one
    std::string token;        // the same

    std::string host() const {
        return fmt::format("127.0.0.1:{}", acceptor_.local_endpoint().port());
    }

    /// What was asked since the last time: "GET /path?query".
    std::vector<std::string> take_asked() { return std::exchange(asked_, {}); }

    /// Runs one verb of the adapter to its end.
    template <class T, class... Taken, class... Given>
    T ask(boost::asio::awaitable<T> (github::RestGithub::*verb)(Taken...), Given... given) {
        std::optional<T> value;
        auto done = [this, &value](const std::exception_ptr& thrown, T result) {
            promise(!thrown, "whatever GitHub says, nothing is thrown");
            value.emplace(std::move(result));
            loop_.stop();
        };
        boost::asio::co_spawn(loop_, (github_.get()->*verb)(std::move(given)...), std::move(done));
        loop_.restart();
        loop_.run();
        promise(value.has_value(), "every question ends");
        return *std::move(value);
    }

private:
    using Socket = boost::asio::ip::tcp::socket;
    static constexpr std::uint32_t kHeaderMax = 1'000'000; // a cursor may be long

    boost::asio::awaitable<void> accept() {
        const auto whole = boost::asio::as_tuple(boost::asio::use_awaitable);
        while (true) {
            auto [failed, socket] = co_await acceptor_.async_accept(whole);
            if (failed) {
                co_return;
            }
            tasks_.spawn(serve(std::move(socket)));
        }
    }

    boost::asio::awaitable<void> serve(Socket socket) {
        namespace http = boost::beast::http;
        const auto whole = boost::asio::as_tuple(boost::asio::use_awaitable);
        boost::beast::flat_buffer buffer;
        while (true) {
            http::request_parser<http::string_body> parser;
            parser.header_limit(kHeaderMax);
            const auto [failed, bytes] = co_await http::async_read(socket, buffer, parser, whole);
            if (failed) {
                co_return;
            }
            const auto& request = parser.get();
            promise(request["host"] == host(), "nobody else is asked");
            asked_.push_back(fmt::format(
                "{} {}", std::string(request.method_string()), std::string(request.target())
            ));
            const auto answer = answer_to(asked_.back());
            const auto [broken, sent] =
                co_await boost::asio::async_write(socket, boost::asio::buffer(answer), whole);
            if (broken) {
                co_return;
            }
        }
    }

    std::string answer_to(std::string_view asked) const {
        if (asked.ends_with("/installation")) {
            return text_of_answer(installation.empty() ? R"({"id":5})" : installation, "");
        }
        if (asked.ends_with("/access_tokens")) {
            const auto until = to_rfc3339(clock_.now() + std::chrono::hours(1));
            const auto good = fmt::format(R"({{"token":"t","expires_at":"{}"}})", until);
            return text_of_answer(token.empty() ? good : token, "");
        }
        return text_of_answer(body, link);
    }

    static std::string text_of_answer(std::string_view body, std::string_view link) {
        return fmt::format(
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n{}{}\r\n\r\n{}",
            body.size(),
            link.empty() ? "X-Link: none" : "Link: ",
            link,
            body
        );
    }

    test::ManualClock clock_;
    boost::asio::io_context loop_{1};
    boost::asio::ip::tcp::acceptor acceptor_{loop_, {boost::asio::ip::address_v4::loopback(), 0}};
    async::TaskGroup tasks_{loop_.get_executor(), [](const std::string&) {
                                broken("the server ends quietly");
                            }};
    std::vector<std::string> asked_;
    std::unique_ptr<github::RestGithub> github_;
};

} // namespace baton::fuzz
