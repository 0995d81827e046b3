#include "baton/app/demo_cast.hpp"
#include "baton/app/demo_people.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/sim_world.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// What people do to branches and tags.
namespace baton::app::demo {

namespace {

RepoName upstream() {
    return repo_named(kUpstream);
}

} // namespace

void People::push_main(sim::SimWorld& world, TimePoint now) {
    const std::string ref = "refs/heads/main";
    const auto webhook = world.model.push({
        .repo = upstream(),
        .ref = ref,
        .by = Login(std::string(kMaintainer)),
        .changes = {{.path = "src/engine.cpp", .text = fmt::format("// {}\n", made_.size())}},
        .commits = 1 + chance_.draw().below(3),
        .now = now,
    });
    sent(
        world,
        webhook,
        {.expected = Expected::forwarded, .ref = ref},
        fmt::format("{} pushes to main", kMaintainer)
    );
}

void People::push_tag(sim::SimWorld& world, TimePoint now) {
    const auto tag = fmt::format("v2.{}", ++tags_);
    const auto ref = "refs/tags/" + tag;
    const auto webhook = world.model.push({
        .repo = upstream(),
        .ref = ref,
        .by = Login(std::string(kMaintainer)),
        .changes = {},
        .now = now,
    });
    sent(
        world,
        webhook,
        {.expected = Expected::forwarded, .ref = ref},
        fmt::format("{} tags {}", kMaintainer, tag)
    );
}

void People::work_on_branch(sim::SimWorld& world, TimePoint now) {
    const bool remove = branch_.has_value();
    const auto ref = branch_.value_or(fmt::format("refs/heads/try-{}", acts_));
    branch_ = remove ? std::nullopt : std::optional(ref);
    const auto webhook = world.model.push({
        .repo = upstream(),
        .ref = ref,
        .by = Login(std::string(kMaintainer)),
        .changes = {},
        .remove = remove,
        .now = now,
    });
    const auto name = ref.substr(std::string_view("refs/heads/").size());
    if (remove) {
        watch_.tell(fmt::format("{} deletes branch {}: ignored", kMaintainer, name), false);
    }
    sent(
        world,
        webhook,
        {.expected = remove ? Expected::ignored : Expected::forwarded, .ref = ref},
        remove ? "" : fmt::format("{} makes branch {}", kMaintainer, name)
    );
}

/// The App is installed there, so GitHub tells the relay of it; but nobody relays from there.
void People::push_downstream(sim::SimWorld& world, TimePoint now) {
    const auto repo = repo_named("lumen/torch-lumen");
    const auto webhook =
        world.model.push({.repo = repo, .by = Login("kim"), .changes = {}, .now = now});
    watch_.tell(fmt::format("kim pushes to {}: no upstream, ignored", repo.text()), false);
    sent(world, webhook, {.expected = Expected::ignored}, "");
}

void People::edit_allowlist(sim::SimWorld& world, std::string text, TimePoint now) {
    const std::string ref = "refs/heads/main";
    const auto webhook = world.model.push({
        .repo = upstream(),
        .ref = ref,
        .by = Login(std::string(kMaintainer)),
        .changes = {{.path = std::string(kAllowlistPath), .text = std::move(text)}},
        .now = now,
    });
    sent(
        world,
        webhook,
        {.expected = Expected::forwarded, .ref = ref},
        fmt::format("{} edits the allowlist on main", kMaintainer)
    );
}

} // namespace baton::app::demo
