#include "baton/base/ids.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace baton {

namespace {

constexpr std::size_t kNameBytesMax = 100; // GitHub: 39 for an owner, 100 for a repository

bool is_part(std::string_view part) {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_' || c == '.';
    };
    return !part.empty() && part.size() <= kNameBytesMax && part != "." && part != ".." &&
           std::ranges::all_of(part, allowed);
}

} // namespace

RepoName::RepoName(std::string text)
    : text_(std::move(text))
    , key_(lower(text_)) {}

Result<RepoName> RepoName::parse(std::string_view text) {
    const auto slash = text.find('/');
    if (slash == std::string_view::npos || !is_part(text.substr(0, slash)) ||
        !is_part(text.substr(slash + 1))) {
        return fail(
            Errc::invalid,
            fmt::format("\"{}\" is not a repository name: write owner/repo", inert(text))
        );
    }
    return RepoName(std::string(text));
}

std::string_view RepoName::owner() const {
    return std::string_view(text_).substr(0, text_.find('/'));
}

std::string_view RepoName::repo() const {
    const auto slash = text_.find('/');
    return slash == std::string::npos ? std::string_view{}
                                      : std::string_view(text_).substr(slash + 1);
}

} // namespace baton
