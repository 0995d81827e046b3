#pragma once

#include "baton/base/ids.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::domain {

/// All failures of one upstream with one signature. The number is made from both, so it is the same
/// whenever and wherever it is made.
enum class ClusterId : std::int64_t {};

/// 16 hexadecimal digits.
std::string to_text(ClusterId id);
std::optional<ClusterId> cluster_named(std::string_view name);

/// What failures with one cause have in common.
struct Signature {
    ClusterId cluster{};
    std::string text;
};

inline constexpr std::size_t kSignatureTestBytesMax = 200;
inline constexpr std::size_t kSignatureMessageBytesMax = 300;

/// From the test's name and the first line of its message, without what changes from run to run:
/// numbers, hexadecimals, addresses, paths, times, ids.
Signature signature_of(const RepoName& upstream, std::string_view test, std::string_view message);

enum class Paths : std::uint8_t { absolute = 1, all };

/// Text without what changes from run to run: `<n>` for numbers, `<hex>` for addresses and digests,
/// `<id>` for UUIDs, `<path>` for paths. Relative paths stand in names of tests and stay there.
/// One line of at most `bytes` bytes.
std::string normal_text(std::string_view text, Paths paths, std::size_t bytes);

} // namespace baton::domain
