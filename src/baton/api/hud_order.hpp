#pragma once

// What the actions of the API share.

#include "baton/api/action_body.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/operators.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace baton::api {

inline constexpr std::size_t kNameMax = 64; // bytes of a name or another word

/// One action: the request, what it says, and who is behind it.
struct Order {
    Around around;
    net::Request request;
    ActionBody body;
    ports::ActedBy by;
};

using Act = Answer (*)(Order);

inline boost::json::object acted(bool done, std::string text) {
    return {{"done", done}, {"text", std::move(text)}};
}

// --- hud_note_actions.cpp
Answer annotate(Order order);
Answer remove_note(Order order);
Answer acknowledge(Order order);

} // namespace baton::api
