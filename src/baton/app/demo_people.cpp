#include "baton/app/demo_people.hpp"

#include "baton/app/demo_cast.hpp"
#include "baton/app/demo_watch.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/sim_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::app::demo {

namespace {

using sim::PullVerb;

constexpr Millis kRest{1'100};        // of one pull request
constexpr std::uint64_t kGapMs = 150; // between two acts, at least
constexpr std::uint64_t kGapMoreMs = 500;
constexpr std::size_t kOpenAtOnce = 3; // so that something is to be seen at once
constexpr std::size_t kPullsMax = 12;
constexpr std::size_t kLargeBytes = 90'000;

RepoName upstream() {
    return repo_named(kUpstream);
}

std::string named(PrNumber number) {
    return fmt::format("#{}", static_cast<std::int64_t>(number));
}

} // namespace

void People::act(sim::SimWorld& world, TimePoint now) {
    if (!next_) {
        next_ = now;
    }
    while (*next_ <= now) {
        one_act(world, now);
        *next_ += Millis(static_cast<Millis::rep>(kGapMs + chance_.draw().below(kGapMoreMs)));
    }
}

void People::one_act(sim::SimWorld& world, TimePoint now) {
    struct Choice {
        std::uint64_t weight;
        void (People::*act)(sim::SimWorld&, TimePoint);
    };

    constexpr std::array kChoices{
        Choice{20, &People::open},
        Choice{30, &People::commit},
        Choice{10, &People::label},
        Choice{4, &People::unlabel},
        Choice{6, &People::close},
        Choice{6, &People::merge},
        Choice{5, &People::reopen},
        Choice{3, &People::turn_draft},
        Choice{8, &People::push_main},
        Choice{3, &People::push_tag},
        Choice{5, &People::work_on_branch},
        Choice{3, &People::push_downstream},
    };
    if (acts_++ < kOpenAtOnce) {
        open(world, now);
        return;
    }
    std::uint64_t sum = 0;
    for (const auto& choice : kChoices) {
        sum += choice.weight;
    }
    auto at = chance_.draw().below(sum);
    for (const auto& choice : kChoices) {
        if (at < choice.weight) {
            (this->*choice.act)(world, now);
            return;
        }
        at -= choice.weight;
    }
}

// --- pull requests

void People::open(sim::SimWorld& world, TimePoint now) {
    if (pulls_.size() >= kPullsMax) {
        commit(world, now);
        return;
    }
    const auto author = std::string(one_of(contributors()));
    const auto title = std::string(one_of(titles()));
    const auto webhook = world.model.open_pull({
        .repo = upstream(),
        .author = Login(author),
        .title = title,
        .head_ref = fmt::format("change-{}", acts_),
        .labels = {},
        .now = now,
    });
    if (webhook) {
        pulls_[*webhook->pr] = {
            .number = *webhook->pr, .author = author, .labels = {}, .touched = now
        };
        sent(
            world,
            webhook,
            {.expected = Expected::forwarded},
            fmt::format("{} opens {} \"{}\"", author, named(*webhook->pr), title)
        );
    }
}

DeliveryId People::open_large(sim::SimWorld& world, TimePoint now) {
    const auto author = std::string(one_of(contributors()));
    const auto webhook = world.model.open_pull({
        .repo = upstream(),
        .author = Login(author),
        .title = "Rewrite everything",
        .head_ref = fmt::format("large-{}", made_.size()),
        .labels = {},
        .body_bytes_min = kLargeBytes,
        .now = now,
    });
    if (!webhook) {
        return {};
    }
    sent(
        world,
        webhook,
        {.expected = Expected::forwarded},
        fmt::format(
            "{} opens {} with {} KB, more than a dispatch may carry",
            author,
            named(*webhook->pr),
            webhook->body.size() / 1000
        )
    );
    return webhook->id;
}

People::Staged People::open_staged(sim::SimWorld& world, std::string title, TimePoint now) {
    const auto author = std::string(one_of(contributors()));
    const auto webhook = world.model.open_pull({
        .repo = upstream(),
        .author = Login(author),
        .title = title,
        .head_ref = fmt::format("staged-{}", made_.size()),
        .labels = {},
        .now = now,
    });
    if (!webhook) {
        return {};
    }
    const Staged staged{.number = *webhook->pr, .delivery = webhook->id, .author = author};
    sent(
        world,
        webhook,
        {.expected = Expected::forwarded},
        fmt::format("{} opens {} \"{}\"", author, named(staged.number), title)
    );
    return staged;
}

void People::commit_to(sim::SimWorld& world, const Staged& pull, TimePoint now) {
    do_to_pull(
        world,
        {.repo = upstream(),
         .number = pull.number,
         .verb = PullVerb::synchronize,
         .by = Login(pull.author),
         .now = now},
        Expected::forwarded,
        fmt::format("{} pushes a fix to {}", pull.author, named(pull.number))
    );
}

void People::label_as(sim::SimWorld& world, const Staged& pull, std::string label, TimePoint now) {
    do_to_pull(
        world,
        {.repo = upstream(),
         .number = pull.number,
         .verb = PullVerb::labeled,
         .by = Login(std::string(kTriager)),
         .label = label,
         .now = now},
        Expected::noted,
        fmt::format("{} labels {} {} after its run", kTriager, named(pull.number), label)
    );
}

void People::commit(sim::SimWorld& world, TimePoint now) {
    const auto number = some_pull(now, [](const Known& pull) { return pull.open; });
    if (number) {
        const auto author = pulls_.at(*number).author;
        do_to_pull(
            world,
            {.repo = upstream(),
             .number = *number,
             .verb = PullVerb::synchronize,
             .by = Login(author),
             .now = now},
            Expected::forwarded,
            fmt::format("{} pushes a commit to {}", author, named(*number))
        );
    }
}

void People::label(sim::SimWorld& world, TimePoint now) {
    const auto label = std::string(one_of(labels()));
    const auto number = some_pull(now, [&](const Known& pull) {
        return pull.open && std::ranges::find(pull.labels, label) == pull.labels.end();
    });
    if (!number) {
        return;
    }
    const auto by = std::string(chance_.draw().below(3) == 0 ? kMaintainer : kTriager);
    const bool done = do_to_pull(
        world,
        {.repo = upstream(),
         .number = *number,
         .verb = PullVerb::labeled,
         .by = Login(by),
         .label = label,
         .now = now},
        Expected::noted,
        fmt::format("{} labels {} {}", by, named(*number), label)
    );
    if (done) {
        pulls_[*number].labels.push_back(label);
    }
}

void People::unlabel(sim::SimWorld& world, TimePoint now) {
    const auto number =
        some_pull(now, [](const Known& pull) { return pull.open && !pull.labels.empty(); });
    if (!number) {
        return;
    }
    auto& labels_there = pulls_[*number].labels;
    const auto label = labels_there.back();
    const bool done = do_to_pull(
        world,
        {.repo = upstream(),
         .number = *number,
         .verb = PullVerb::unlabeled,
         .by = Login(std::string(kTriager)),
         .label = label,
         .now = now},
        Expected::noted,
        fmt::format("{} takes {} off {}", kTriager, label, named(*number))
    );
    if (done) {
        labels_there.pop_back();
    }
}

void People::close(sim::SimWorld& world, TimePoint now) {
    const auto number = some_pull(now, [](const Known& pull) { return pull.open; });
    if (number) {
        auto& pull = pulls_[*number];
        pull.open = !do_to_pull(
            world,
            {.repo = upstream(),
             .number = *number,
             .verb = PullVerb::closed,
             .by = Login(pull.author),
             .now = now},
            Expected::forwarded,
            fmt::format("{} closes {}", pull.author, named(*number))
        );
    }
}

void People::merge(sim::SimWorld& world, TimePoint now) {
    const auto& model = world.model;
    const auto* const in = model.repo(upstream());
    const auto number = some_pull(now, [&](const Known& pull) {
        return model.mergeable(*in, in->pulls.at(pull.number)).mergeable;
    });
    if (!number) {
        return;
    }
    const bool done = do_to_pull(
        world,
        {.repo = upstream(),
         .number = *number,
         .verb = PullVerb::merged,
         .by = Login(std::string(kMaintainer)),
         .now = now},
        Expected::forwarded,
        fmt::format("{} merges {}, the gate is green", kMaintainer, named(*number))
    );
    if (done) {
        pulls_.erase(*number);
        push_main(world, now);
    }
}

void People::reopen(sim::SimWorld& world, TimePoint now) {
    const auto number = some_pull(now, [](const Known& pull) { return !pull.open; });
    if (number) {
        auto& pull = pulls_[*number];
        pull.open = do_to_pull(
            world,
            {.repo = upstream(),
             .number = *number,
             .verb = PullVerb::reopened,
             .by = Login(pull.author),
             .now = now},
            Expected::forwarded,
            fmt::format("{} reopens {}", pull.author, named(*number))
        );
    }
}

void People::turn_draft(sim::SimWorld& world, TimePoint now) {
    const auto number = some_pull(now, [](const Known& pull) { return pull.open; });
    if (!number) {
        return;
    }
    auto& pull = pulls_[*number];
    const bool done = do_to_pull(
        world,
        {.repo = upstream(),
         .number = *number,
         .verb = pull.draft ? PullVerb::ready_for_review : PullVerb::converted_to_draft,
         .by = Login(pull.author),
         .now = now},
        Expected::noted,
        fmt::format(
            "{} {} {}", pull.author, pull.draft ? "finishes" : "goes on with", named(*number)
        )
    );
    pull.draft = pull.draft != done;
}

// --- what all of them share

void People::sent(
    sim::SimWorld& world, const Result<sim::Webhook>& webhook, Made made, std::string what
) {
    if (!webhook) {
        return; // GitHub would not let them
    }
    made.delivery = webhook->id;
    if (!what.empty()) {
        watch_.announce(webhook->id, std::move(what));
    }
    world.outbox.put(webhook->id);
    made_.push_back(std::move(made));
}

bool People::do_to_pull(
    sim::SimWorld& world, const sim::PullAction& action, Expected expected, std::string what
) {
    const auto webhook = world.model.act(action);
    if (const auto known = pulls_.find(action.number); known != pulls_.end()) {
        known->second.touched = action.now;
    }
    sent(world, webhook, {.expected = expected}, std::move(what));
    return webhook.has_value();
}

template <class Wanted> std::optional<PrNumber> People::some_pull(TimePoint now, Wanted wanted) {
    std::vector<PrNumber> fit;
    for (const auto& [number, pull] : pulls_) {
        if (pull.touched + kRest <= now && wanted(pull)) {
            fit.push_back(number);
        }
    }
    if (fit.empty()) {
        return std::nullopt;
    }
    return fit[chance_.draw().below(fit.size())];
}

std::string_view People::one_of(const std::vector<std::string_view>& all) {
    return all[chance_.draw().below(all.size())];
}

} // namespace baton::app::demo
