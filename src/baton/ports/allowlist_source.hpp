#pragma once

#include "baton/base/result.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>

namespace baton::ports {

/// The text of an allowlist and what marks this version of it (an ETag, or a file's time and size).
struct AllowlistText {
    std::string text;
    std::string mark;
};

/// Where the allowlist of one upstream comes from.
class AllowlistSource {
public:
    AllowlistSource() = default;
    AllowlistSource(const AllowlistSource&) = delete;
    AllowlistSource& operator=(const AllowlistSource&) = delete;
    virtual ~AllowlistSource() = default;

    /// nullopt: still the version that `mark` names.
    virtual boost::asio::awaitable<Result<std::optional<AllowlistText>>> fetch(std::string mark
    ) = 0;

    /// As it stands in the configuration: `file:allowlist.yml`, `github:owner/repo/path@ref`.
    virtual std::string describe() const = 0;
};

} // namespace baton::ports
