#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/gate.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/hud/audience.hpp"
#include "baton/hud/backend_page.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/levels.hpp"
#include "baton/hud/nightly.hpp"
#include "baton/hud/overview.hpp"
#include "baton/hud/pull_list.hpp"
#include "baton/hud/pull_page.hpp"
#include "baton/hud/shown.hpp"
#include "baton/hud/suites.hpp"
#include "baton/hud/trends.hpp"
#include "baton/hud/window.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/views.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::hud {

/// Gathers the facts of a page and puts them together. Any thread.
class Desk {
public:
    template <class T> using Awaitable = boost::asio::awaitable<Result<T>>;

    struct Sources {
        ports::Store& store;
        ports::Views& views;
        ports::Operators& operators;
        ports::Levels& levels;
        ports::Clock& clock;
        std::function<std::vector<ListInForce>()> lists;
        std::function<RelayState()> relay;
        std::map<RepoName, std::string> gate_names; // by upstream: "crcr/gate"
        std::map<RepoName, RepoName> probes{};      // by upstream
        LadderRules ladder{};
        domain::GateRules gate{};
    };

    explicit Desk(Sources sources)
        : sources_(std::move(sources)) {}

    Awaitable<Overview> overview(Window window, std::optional<RepoName> upstream);
    /// Of downstreams that everybody may see; as far as `kPullsLooked` goes.
    Awaitable<PullList> pulls(ports::PullQuery query, Wish wish);
    /// Without a head: the pull request's own. not_found.
    Awaitable<PullPage> pull(RepoName upstream, PrNumber number, HeadSha head);
    /// not_found when it is listed nowhere, or not for everybody to see. Of several upstreams the
    /// first.
    Result<domain::Pairing>
    listed(const RepoName& downstream, const std::optional<RepoName>& upstream) const;
    Awaitable<DownstreamLine>
    line(RepoName downstream, std::optional<RepoName> upstream, ports::ViewWindow days);
    Awaitable<BackendPage>
    backend(RepoName downstream, std::optional<RepoName> upstream, Window window);

    /// Of one upstream, or of one downstream, or all.
    Awaitable<std::vector<DownstreamLine>>
    lines(std::optional<RepoName> upstream, std::optional<RepoName> downstream);
    Awaitable<Trends>
    trends(Window window, std::optional<RepoName> upstream, std::optional<RepoName> downstream);
    Awaitable<std::vector<NightlyLine>> nightly(
        ports::ViewWindow days, std::optional<RepoName> upstream, std::optional<RepoName> downstream
    );
    /// `wanted.downstream` is not looked at.
    Awaitable<SuiteTable> suites(ports::SuiteQuery wanted);
    /// not_found when a downstream is named that `listed` would not find.
    Result<Audience> audience(
        const std::optional<RepoName>& upstream, const std::optional<RepoName>& downstream
    ) const;

    Awaitable<LevelList> levels(std::optional<RepoName> upstream);
    Awaitable<LevelPage> level(RepoName downstream, std::optional<RepoName> upstream);
    Awaitable<MovePage> moves(ports::TransitionQuery query);

    /// What everybody may see now.
    Shown shown() const { return Shown(sources_.lists()); }

private:
    Awaitable<DownstreamFacts> downstream_facts(ports::ViewWindow days);
    Awaitable<std::vector<ProbeRuns>> probe_runs();
    Awaitable<std::vector<FailedTestOf>> failed_tests(std::vector<JobId> red);
    Awaitable<LevelFacts>
    level_facts(DownstreamLine line, std::vector<ports::KeptLadder> ladders, std::size_t depth);

    Sources sources_;
};

} // namespace baton::hud
