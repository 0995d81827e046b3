#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/level.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace baton::domain {

enum class Trigger : std::uint8_t { always, label };
enum class Role : std::uint8_t { tester, publisher };
enum class Trust : std::uint8_t { any, approved, write };
enum class Visibility : std::uint8_t { open, closed };

/// Which kinds of event a downstream takes part in. `pull_request` covers pull requests and pushes.
struct Participation {
    bool pull_request{true};
    bool nightly{true};
    bool periodic{true};

    friend bool operator==(const Participation&, const Participation&) = default;
};

/// Planned maintenance: nothing is dispatched and nothing counts in health until then.
struct Pause {
    TimePoint until{};
    std::string reason;

    friend bool operator==(const Pause&, const Pause&) = default;
};

/// `paused until 2026-11-15T13:30:00.000Z: new racks`: the reason that planning records.
std::string to_text(const Pause& pause);

/// One listed downstream.
struct Downstream {
    RepoName repo;
    Level level{Level::l1};              // what it may do now
    std::optional<Level> lowered_from{}; // the listed one, while it is lowered for a while
    std::string device;                  // empty: none named
    std::vector<Login> oncalls;
    Participation events;
    std::vector<std::string> required_jobs;
    Trigger trigger{Trigger::always};
    std::vector<std::string> push_refs; // globs over refs/heads/x or x; empty: all
    std::vector<std::string> paths;     // globs over upstream files; empty: all
    std::optional<int> max_concurrent;
    std::optional<int> max_per_day;
    std::string schedule; // cron text, checked when read; empty: none
    Role role{Role::tester};
    std::optional<Millis> run_timeout;
    std::optional<Millis> start_timeout;
    Trust trust{Trust::any};
    Visibility visibility{Visibility::open};
    std::optional<Pause> pause;
    int line{0}; // where it stands in the file

    friend bool operator==(const Downstream&, const Downstream&) = default;
};

/// What the list says, whatever holds for a while.
Level listed_level(const Downstream& downstream);

bool is_paused(const Downstream& downstream, TimePoint now);

/// The downstreams of one upstream, in file order. A repo stands once, whatever its spelling.
class Allowlist {
public:
    Allowlist() = default;

    /// False, and nothing added, when the repo already stands in the list.
    bool add(Downstream downstream);

    const std::vector<Downstream>& downstreams() const { return downstreams_; }

    const Downstream* find(const RepoName& repo) const;

    bool empty() const { return downstreams_.empty(); }

    friend bool operator==(const Allowlist& a, const Allowlist& b) {
        return a.downstreams_ == b.downstreams_;
    }

private:
    std::vector<Downstream> downstreams_;
    std::unordered_map<RepoName, std::size_t> by_repo_;
};

/// The same list, where some may do less for a while. What is not lower than the listed level
/// changes nothing.
Allowlist lowered(const Allowlist& listed, const std::map<RepoName, Level>& levels);

enum class Severity : std::uint8_t { warning, error };

/// One thing a file that people write has wrong, where, and what to do about it.
struct Finding {
    Severity severity{Severity::error};
    int line{0};   // from 1
    int column{0}; // from 1
    std::string message;

    friend bool operator==(const Finding&, const Finding&) = default;
};

/// `FILE:LINE:COLUMN: error: message`, the form editors and compilers share.
std::string to_text(const Finding& finding, std::string_view file);

bool has_errors(const std::vector<Finding>& findings);

} // namespace baton::domain
