#pragma once

#include "baton/base/result.hpp"
#include "baton/domain/letter.hpp"

#include <string>

/// What those who carry notifications by other ways than a webhook say to the courier.
namespace baton::relay {

/// As if a webhook had taken it.
domain::SinkAnswer told(std::string detail);

/// What is refused, missing or cannot be read does not pass by itself: it ends the letter, so that
/// a person sees it. All else is tried again.
domain::SinkAnswer answer_to(const Error& error);

} // namespace baton::relay
