#pragma once

// What the files behind hud.hpp share: one function for each question of the API.

#include "baton/api/hud.hpp"
#include "baton/api/hud_json.hpp"
#include "baton/base/result.hpp"
#include "baton/net/server.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <memory>
#include <string>

namespace baton::api {

using Around = std::shared_ptr<const HudSurroundings>;
using Answer = boost::asio::awaitable<Result<boost::json::object>>;

Answer downstream(Around around, net::Request request);
Answer grid(Around around, net::Request request);
Answer job(Around around, net::Request request);
Answer clusters(Around around, net::Request request);
Answer cluster(Around around, net::Request request);
Answer flaky(Around around, net::Request request);
Answer tests(Around around, net::Request request);
Answer deliveries(Around around, net::Request request);
Answer delivery(Around around, net::Request request);
Answer dead(Around around, net::Request request);
boost::asio::awaitable<net::Response> badge(Around around, net::Request request);
boost::asio::awaitable<net::Response> redeliver(Around around, net::Request request);

/// `next` of a page: null behind the last one.
inline boost::json::value cursor_behind(bool more, const std::string& cursor) {
    return more ? boost::json::value(cursor) : boost::json::value(nullptr);
}

} // namespace baton::api
