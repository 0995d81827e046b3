#pragma once

#include "baton/base/result.hpp"

#include <string_view>

namespace baton::wire {

/// Checks the five fields of a cron text: minute, hour, day of month, month, day of week (0 and 7
/// are Sunday). Each is `*`, a value, a range or a list of them, with `/step` after `*` or a range;
/// months and weekdays may be named by three letters. Fails with `invalid` and names the field.
Result<void> check_cron(std::string_view text);

} // namespace baton::wire
