#include "e2e/reviewed_pull.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/check_book.hpp"
#include "baton/sim/comment_book.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/sim_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "e2e/stage.hpp"

namespace baton::test {

namespace {

const char* const kGate = "crcr/gate";

RepoName upstream() {
    return *RepoName::parse(Stage::kUpstream);
}

TimePoint present() {
    return std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now());
}

bool is_at(const sim::CheckRun& run, const std::string& state) {
    return run.status == state || run.conclusion == state;
}

} // namespace

ReviewedPull::ReviewedPull(Stage& stage, sim::OpenPull how)
    : stage_(stage) {
    how.repo = upstream();
    how.now = present();
    if (how.author.empty()) {
        how.author = Login("writer");
    }
    opening_ = stage_.github().with([&](sim::SimWorld& world) {
        EXPECT_TRUE(world.model.require_checks(upstream(), {kGate}));
        return world.model.open_pull(how).value();
    });
    number_ = opening_.pr.value();
    static_cast<void>(tell(opening_)); // a story whose relay did not hear it gets no further
}

bool ReviewedPull::tell_of_opening_again() {
    const auto status = stage_.post(opening_);
    return status == 200 || status == 202;
}

bool ReviewedPull::tell(const sim::Webhook& webhook) {
    return stage_.post(webhook) == 202;
}

HeadSha ReviewedPull::head() {
    return stage_.github().with([&](sim::SimWorld& world) {
        return world.model.pull(upstream(), number_)->head;
    });
}

bool ReviewedPull::act(sim::PullVerb verb, const std::string& label, const std::string& by) {
    const sim::PullAction what{
        .repo = upstream(),
        .number = number_,
        .verb = verb,
        .by = Login(by),
        .label = label,
        .now = present(),
    };
    return tell(stage_.github().with([&](sim::SimWorld& world) {
        return world.model.act(what).value();
    }));
}

bool ReviewedPull::press_rerun(const std::string& check, const std::string& by) {
    const sim::Rerequest what{
        .repo = upstream(),
        .head = head(),
        .check = check,
        .app_id = std::nullopt,
        .by = Login(by),
        .now = present(),
    };
    return tell(stage_.github().with([&](sim::SimWorld& world) {
        return world.model.rerequest(what).value();
    }));
}

bool ReviewedPull::press_rerun_of_another_app() {
    constexpr std::int64_t kApp = 15368;
    const auto commit = head();
    return tell(stage_.github().with([&](sim::SimWorld& world) {
        world.model.checks().add({
            .app_id = kApp,
            .repo = world.model.repo(upstream())->id,
            .head = commit,
            .name = "lint",
            .status = "completed",
            .conclusion = "failure",
            .started_at = std::nullopt,
            .completed_at = std::nullopt,
        });
        return world.model
            .rerequest({
                .repo = upstream(),
                .head = commit,
                .check = "",
                .app_id = kApp,
                .by = Login("writer"),
                .now = present(),
            })
            .value();
    }));
}

bool ReviewedPull::comment(const std::string& text, const std::string& by) {
    const sim::NewComment what{
        .repo = upstream(),
        .number = number_,
        .by = Login(by),
        .text = text,
        .now = present(),
    };
    return tell(stage_.github().with([&](sim::SimWorld& world) {
        return world.model.comment(what).value();
    }));
}

std::vector<sim::CheckRun> ReviewedPull::checks_at(const HeadSha& head) {
    return stage_.github().with([&](sim::SimWorld& world) {
        std::vector<sim::CheckRun> all;
        for (const auto* run : world.model.checks().of(world.model.repo(upstream())->id, head)) {
            all.push_back(*run);
        }
        return all;
    });
}

sim::CheckRun ReviewedPull::check(const std::string& name) {
    const auto all = checks_at(head());
    const auto found = std::ranges::find(all, name, &sim::CheckRun::name);
    return found == all.end() ? sim::CheckRun{.status = ""} : *found;
}

sim::CheckRun ReviewedPull::gate() {
    return check(kGate);
}

std::vector<sim::IssueComment> ReviewedPull::comments_by_app() {
    return stage_.github().with([&](sim::SimWorld& world) {
        std::vector<sim::IssueComment> all;
        const auto repo = world.model.repo(upstream())->id;
        for (const auto* comment : world.model.comments().of(repo, number_)) {
            if (comment->app_id != 0) {
                all.push_back(*comment);
            }
        }
        return all;
    });
}

ReviewedPull::Picture ReviewedPull::picture() {
    Picture picture;
    for (const auto& run : checks_at(head())) {
        picture.emplace_back(run.name, run.status, run.conclusion);
    }
    std::ranges::sort(picture);
    return picture;
}

bool ReviewedPull::is_mergeable() {
    return stage_.github().with([&](sim::SimWorld& world) {
        const auto& repo = *world.model.repo(upstream());
        return world.model.mergeable(repo, repo.pulls.at(number_)).mergeable;
    });
}

bool ReviewedPull::comes_to(const std::string& name, const std::string& state) {
    return eventually([&] { return is_at(check(name), state); }, kPatience);
}

bool ReviewedPull::gate_comes_to(const std::string& state) {
    return comes_to(kGate, state);
}

} // namespace baton::test
