#pragma once

#include "baton/app/demo_watch.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/seeded_chance.hpp"
#include "baton/sim/sim_world.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::app::demo {

/// What the relay owes a webhook that it accepts.
enum class Expected : std::uint8_t {
    forwarded = 1, // a dispatch to everybody who always gets it
    noted,         // moves only Baton's own state
    ignored,       // does not concern the relay
};

/// One webhook that GitHub made, in the order in which it made them.
struct Made {
    DeliveryId delivery;
    Expected expected{Expected::forwarded};
    std::string ref; // of a push
};

/// The upstream's people: they open pull requests, push, label, close and reopen at a lively pace,
/// drawn from the seed. GitHub's times have whole seconds, so nobody touches one pull request
/// twice within one: what came first would be anybody's guess. One thread.
class People {
public:
    People(std::uint64_t seed, Watch& watch)
        : chance_(sim::seed_for(seed, "demo people"))
        , watch_(watch) {}

    /// Does what is due by now.
    void act(sim::SimWorld& world, TimePoint now);

    // --- what the script makes them do; nobody else touches these pull requests
    struct Staged {
        PrNumber number{};
        DeliveryId delivery; // empty: GitHub would not let them
        std::string author;
    };

    Staged open_staged(sim::SimWorld& world, std::string title, TimePoint now);
    void commit_to(sim::SimWorld& world, const Staged& pull, TimePoint now);
    void label_as(sim::SimWorld& world, const Staged& pull, std::string label, TimePoint now);
    void push_main(sim::SimWorld& world, TimePoint now);
    /// A pull request whose webhook is larger than a dispatch may be; its delivery.
    DeliveryId open_large(sim::SimWorld& world, TimePoint now);
    /// The maintainer puts this text into the place of the allowlist.
    void edit_allowlist(sim::SimWorld& world, std::string text, TimePoint now);

    const std::vector<Made>& made() const { return made_; }

private:
    struct Known {
        PrNumber number{};
        std::string author;
        bool open{true};
        bool draft{false};
        std::vector<std::string> labels;
        TimePoint touched{};
    };

    void one_act(sim::SimWorld& world, TimePoint now);
    void open(sim::SimWorld& world, TimePoint now);
    void push_tag(sim::SimWorld& world, TimePoint now);
    void work_on_branch(sim::SimWorld& world, TimePoint now); // makes it, or deletes it again
    void push_downstream(sim::SimWorld& world, TimePoint now);
    void label(sim::SimWorld& world, TimePoint now);
    void unlabel(sim::SimWorld& world, TimePoint now);
    void close(sim::SimWorld& world, TimePoint now);
    void merge(sim::SimWorld& world, TimePoint now); // only what branch protection lets through
    void commit(sim::SimWorld& world, TimePoint now);
    void reopen(sim::SimWorld& world, TimePoint now);
    void turn_draft(sim::SimWorld& world, TimePoint now);

    void
    sent(sim::SimWorld& world, const Result<sim::Webhook>& webhook, Made made, std::string what);
    bool do_to_pull(
        sim::SimWorld& world, const sim::PullAction& action, Expected expected, std::string what
    );
    template <class Wanted> std::optional<PrNumber> some_pull(TimePoint now, Wanted wanted);
    std::string_view one_of(const std::vector<std::string_view>& all);

    sim::SeededChance chance_;
    Watch& watch_;
    std::optional<TimePoint> next_;
    std::map<PrNumber, Known> pulls_; // those that may still change
    std::size_t acts_{0};
    int tags_{0};
    std::optional<std::string> branch_;
    std::vector<Made> made_;
};

} // namespace baton::app::demo
