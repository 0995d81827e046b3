#pragma once

#include "baton/base/result.hpp"

#include <string>
#include <string_view>

namespace baton::wire {

/// The body of the `pull_request` webhook that GitHub would have sent, made from a pull request as
/// its API shows it: for what happened while GitHub's own log had already forgotten it. `invalid`
/// when the object lacks what such a webhook has.
Result<std::string> rebuilt_webhook(std::string_view action, std::string_view pull_request);

} // namespace baton::wire
