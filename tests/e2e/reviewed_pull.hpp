#pragma once

#include "baton/base/ids.hpp"
#include "baton/sim/check_book.hpp"
#include "baton/sim/comment_book.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"

#include <chrono>
#include <string>
#include <tuple>
#include <vector>

#include "e2e/stage.hpp"

namespace baton::test {

/// A pull request of the upstream, as its author and reviewers see it on GitHub: they act, the
/// relay hears of it, and what stands on its commits is read back from GitHub.
class ReviewedPull {
public:
    /// How long anything may take that has no time limit of its own.
    static constexpr std::chrono::seconds kPatience{30};

    /// Opens it and tells the relay; branch protection requires the gate.
    explicit ReviewedPull(Stage& stage, sim::OpenPull how = {});

    PrNumber number() const { return number_; }

    HeadSha head();

    /// The delivery of its opening.
    const DeliveryId& opened() const { return opening_.id; }

    /// As GitHub's redelivery: for a relay that may have died before it answered.
    bool tell_of_opening_again();

    // --- what people do; each tells the relay and is false when that was not taken
    bool act(sim::PullVerb verb, const std::string& label = "", const std::string& by = "writer");
    bool press_rerun(const std::string& check, const std::string& by = "writer"); // empty: suite
    /// "Re-run all checks" of another App, which has a check there too.
    bool press_rerun_of_another_app();
    bool comment(const std::string& text, const std::string& by = "writer");

    // --- what stands
    /// Every check run of a commit, the relay's and others'.
    std::vector<sim::CheckRun> checks_at(const HeadSha& head);
    /// The one of that name on the head now; without a name when there is none.
    sim::CheckRun check(const std::string& name);
    sim::CheckRun gate();
    std::vector<sim::IssueComment> comments_by_app();

    /// Name, status and conclusion of all on the head now.
    using Picture = std::vector<std::tuple<std::string, std::string, std::string>>;
    Picture picture();

    bool is_mergeable();

    // --- waiting
    bool comes_to(const std::string& check, const std::string& state); // a status or a conclusion
    bool gate_comes_to(const std::string& state);

private:
    bool tell(const sim::Webhook& webhook);

    Stage& stage_;
    PrNumber number_{};
    sim::Webhook opening_;
};

} // namespace baton::test
