#pragma once

#include "baton/base/result.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>

namespace baton::ports {

/// A text and what marks this version of it (an ETag, or a file's time and size).
struct TextVersion {
    std::string text;
    std::string mark;
};

/// Where a text that people keep comes from: an allowlist, a list of pipelines.
class TextSource {
public:
    TextSource() = default;
    TextSource(const TextSource&) = delete;
    TextSource& operator=(const TextSource&) = delete;
    virtual ~TextSource() = default;

    /// nullopt: still the version that `mark` names.
    virtual boost::asio::awaitable<Result<std::optional<TextVersion>>> fetch(std::string mark) = 0;

    /// As it stands in the configuration: `file:allowlist.yml`, `github:owner/repo/path@ref`.
    virtual std::string describe() const = 0;
};

} // namespace baton::ports
