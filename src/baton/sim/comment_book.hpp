#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/post.hpp"

#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace baton::sim {

/// A comment on a pull request.
struct IssueComment {
    std::int64_t id{0};
    RepoId repo{};
    PrNumber pr{};
    Login author;
    std::int64_t app_id{0}; // 0: a person's
    std::string text;
    TimePoint created_at{};
    TimePoint updated_at{};
    std::size_t changes{0};
};

/// Reads the body of a request that makes or changes one. The reply is good, or GitHub's refusal.
PostReply read_comment(const boost::json::value& body, std::string& text);

class CommentBook {
public:
    /// Numbers it.
    IssueComment& add(IssueComment comment);
    /// nullptr when there is none.
    IssueComment* find(std::int64_t id);

    bool erase(std::int64_t id) { return comments_.erase(id) > 0; }

    /// In the order in which they were made.
    std::vector<const IssueComment*> of(RepoId repo, PrNumber pr) const;

private:
    std::int64_t next_{1'850'000'001};
    std::map<std::int64_t, IssueComment> comments_;
};

} // namespace baton::sim
