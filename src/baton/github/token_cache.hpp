#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

/// What is remembered between calls to GitHub, so that a dispatch costs one. Pure: the caller
/// brings the time.
namespace baton::github {

/// A map that forgets: each value at its own time, and the one nearest to its end when there is no
/// room.
template <class Value> class ExpiringCache {
public:
    explicit ExpiringCache(std::size_t capacity)
        : capacity_(capacity) {}

    /// Null when it is not there or no longer good. Valid until the next change.
    const Value* find(const std::string& key, TimePoint now) const {
        const auto it = entries_.find(key);
        return it == entries_.end() || now >= it->second.until ? nullptr : &it->second.value;
    }

    void put(std::string key, Value value, TimePoint until) {
        if (!entries_.contains(key) && entries_.size() >= capacity_) {
            make_room();
        }
        entries_.insert_or_assign(std::move(key), Entry{.value = std::move(value), .until = until});
    }

    void erase(const std::string& key) { entries_.erase(key); }

    std::size_t size() const { return entries_.size(); }

private:
    struct Entry {
        Value value;
        TimePoint until{};
    };

    void make_room() {
        const auto sooner = [](const auto& a, const auto& b) {
            return a.second.until < b.second.until;
        };
        const auto first = std::ranges::min_element(entries_, sooner);
        if (first != entries_.end()) {
            entries_.erase(first);
        }
    }

    std::size_t capacity_;
    std::unordered_map<std::string, Entry> entries_;
};

/// What a token may do with its one repository; never more than one call needs.
enum class Grant : std::uint8_t {
    write_contents, // what GitHub asks for repository_dispatch
    read_contents,
    read_metadata,
    read_pulls,
    write_pulls, // comments on pull requests
    read_checks,
    write_checks,
    write_actions, // re-runs
    read_issues,
    write_issues, // comments on issues
};

std::string_view permissions_json(Grant grant);

/// The App's presence on a repository.
struct Installation {
    std::int64_t id{0};
    /// Known when GitHub redirected us: the repository was renamed, so that only its number names
    /// it for tokens.
    std::optional<std::int64_t> repo_id;
};

/// The body of `POST /app/installations/{id}/access_tokens`.
std::string token_request(const Installation& installation, const RepoName& repo, Grant grant);

struct TokenOwner {
    std::int64_t installation{0};
    RepoName repo;
    Grant grant{Grant::read_metadata};

    std::string key() const;
};

/// Installation tokens by installation, repository and grant.
class TokenCache {
public:
    /// A token is not used in its last minutes: it must outlive the call that carries it, and
    /// clocks differ.
    static constexpr std::chrono::minutes kMargin{2};

    explicit TokenCache(std::size_t capacity)
        : tokens_(capacity) {}

    std::optional<std::string> find(const TokenOwner& owner, TimePoint now) const;
    void put(const TokenOwner& owner, std::string token, TimePoint expires_at);
    /// Forgets the token if it still is this one: when many calls are refused at once, the first
    /// renews it and the others must not throw the new one away.
    void reject(const TokenOwner& owner, std::string_view token);

private:
    ExpiringCache<std::string> tokens_;
};

} // namespace baton::github
