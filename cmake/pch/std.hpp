// Precompiled for folders without Boost: what most of their files include. Headers of libraries
// only (docs/adr/0008-precompiled-headers.md).
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tl/expected.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <exception>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
