#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/post.hpp"

#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::sim {

/// A check run on a commit. The words are GitHub's.
struct CheckRun {
    std::int64_t id{0};
    std::int64_t suite{0};
    std::int64_t app_id{0};
    RepoId repo{};
    HeadSha head;
    std::string name;
    std::string external_id;
    std::string details_url;
    std::string status{"queued"};
    std::string conclusion; // empty until completed
    std::string title;
    std::string summary;
    std::optional<TimePoint> started_at;
    std::optional<TimePoint> completed_at;
    std::optional<TimePoint> ended_at; // when the call came that ended it, whatever it says itself
    std::size_t changes{0};            // calls that changed it since the one that made it
};

/// What a request says about a check run, read and found good.
struct CheckEdit {
    std::optional<std::string> name;
    std::string head;
    std::optional<std::string> external_id;
    std::optional<std::string> details_url;
    std::optional<std::string> status;
    std::optional<std::string> conclusion;
    std::optional<std::string> title;
    std::optional<std::string> summary;
    std::optional<TimePoint> started_at;
    std::optional<TimePoint> completed_at;
};

/// Reads the body of a creation, or of a change. The reply is good, or GitHub's refusal.
PostReply read_check(const boost::json::value& body, bool creates, CheckEdit& edit);

/// Takes over what was said. A conclusion ends a run; another status opens it again.
void apply(const CheckEdit& edit, CheckRun& run, TimePoint now);

/// The check runs of every commit; those of one App on one commit are a suite.
class CheckBook {
public:
    /// Numbers it and puts it into its suite.
    CheckRun& add(CheckRun run);

    /// nullptr when there is none.
    CheckRun* find(std::int64_t id);

    /// In the order in which they were made.
    std::vector<const CheckRun*> of(RepoId repo, const HeadSha& head) const;
    /// The newest of each App and name.
    std::vector<const CheckRun*> newest_of(RepoId repo, const HeadSha& head) const;
    /// The suite of an App on a commit; nullopt when it made no check there.
    std::optional<std::int64_t> suite(RepoId repo, const HeadSha& head, std::int64_t app_id) const;

private:
    using SuiteKey = std::tuple<RepoId, HeadSha, std::int64_t>;

    std::int64_t next_run_{31'000'000'001};
    std::int64_t next_suite_{5'118'000'001};
    std::map<std::int64_t, CheckRun> runs_;
    std::map<SuiteKey, std::int64_t> suites_;
    std::map<std::pair<RepoId, HeadSha>, std::vector<std::int64_t>> by_commit_;
};

} // namespace baton::sim
