#pragma once

#include "baton/base/result.hpp"

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace baton {

/// A string that is one kind of name, so that two kinds can never be swapped.
template <class Tag> class Name {
public:
    Name() = default;

    explicit Name(std::string text)
        : text_(std::move(text)) {}

    const std::string& text() const { return text_; }

    bool empty() const { return text_.empty(); }

    friend auto operator<=>(const Name&, const Name&) = default;

private:
    std::string text_;
};

using DeliveryId = Name<struct DeliveryTag>; // X-GitHub-Delivery
using HeadSha = Name<struct HeadShaTag>;     // 40 hex digits of a commit
using Login = Name<struct LoginTag>;         // a GitHub user
using InstanceId = Name<struct InstanceTag>; // one running relay process

enum class DispatchId : std::int64_t {};
enum class JobId : std::int64_t {};
enum class PrNumber : std::int64_t {};
enum class Fence : std::int64_t {}; // grows with every lease; an old holder is told apart by it

/// `owner/repo`. Keeps the spelling it was given; compares case-insensitively, as GitHub does.
class RepoName {
public:
    RepoName() = default;

    /// Fails with `invalid` unless the text is exactly `owner/repo` in the characters GitHub
    /// allows.
    static Result<RepoName> parse(std::string_view text);

    const std::string& text() const { return text_; }

    std::string_view owner() const;
    std::string_view repo() const;

    /// Lower case: the form that stores and maps use.
    const std::string& key() const { return key_; }

    bool empty() const { return text_.empty(); }

    friend bool operator==(const RepoName& a, const RepoName& b) { return a.key_ == b.key_; }

    friend auto operator<=>(const RepoName& a, const RepoName& b) { return a.key_ <=> b.key_; }

private:
    explicit RepoName(std::string text);

    std::string text_;
    std::string key_;
};

} // namespace baton

template <> struct std::hash<baton::RepoName> {
    std::size_t operator()(const baton::RepoName& name) const noexcept {
        return std::hash<std::string>{}(name.key());
    }
};

template <class Tag> struct std::hash<baton::Name<Tag>> {
    std::size_t operator()(const baton::Name<Tag>& name) const noexcept {
        return std::hash<std::string>{}(name.text());
    }
};
