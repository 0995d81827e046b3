#pragma once

#include "baton/api/news_hub.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/views.hpp"

namespace baton::api {

struct StreamSurroundings {
    NewsHub& hub;
    ports::Views& views;
};

/// `GET /api/v1/stream`: server-sent events, from the id that the caller saw last.
net::Route stream_route(StreamSurroundings around);

} // namespace baton::api
