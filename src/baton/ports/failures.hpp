#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/attribution.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/signature.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/view_window.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What is asked and told about failures. Whoever is not `among` those asked about is as if they
/// were not there: in no count, no date and no sample.
namespace baton::ports {

using Pairings = std::vector<domain::Pairing>;

// --- clusters

struct ClusterPlace {
    TimePoint last_seen{};
    domain::ClusterId cluster{};
};

/// Clusters that were seen in the window or later.
struct ClusterQuery {
    Pairings among;
    ViewWindow window;
    std::optional<ClusterPlace> before; // `next` of the page before
    std::size_t limit{50};
};

struct ClusterView {
    domain::ClusterId id{};
    RepoName upstream;
    std::string signature;
    std::string test; // the newest, with its message
    std::string message;
    std::size_t tests{0}; // names; counting stops at 1,000

    struct Downstream {
        RepoName repo;
        std::size_t failures{0}; // in the window
        TimePoint first_seen{};
        TimePoint last_seen{};
    };

    std::vector<Downstream> downstreams; // that have any in the window
    std::size_t pulls{0};                // in the window; counting stops at 200
    std::vector<PrNumber> newest_pulls;  // the highest ten of those
    bool on_trunk{false};                // in the window
    TimePoint first_seen{};
    TimePoint last_seen{};
};

struct ClusterPage {
    std::vector<ClusterView> rows; // last seen first; may be fewer than asked for
    std::optional<ClusterPlace> next;
};

struct OneClusterQuery {
    domain::ClusterId id{};
    Pairings among;
    ViewWindow window;
};

struct ClusterDayView {
    TimePoint day{};
    std::size_t failures{0};
};

// --- failed tests

/// One failed test of one execution.
struct Occurrence {
    std::int64_t id{0};
    JobId job{};
    RepoName downstream;
    std::optional<PrNumber> pr;
    HeadSha head;
    std::string event_type;
    TimePoint at{};
    std::string test;
    std::string message; // cut
};

struct OccurrenceQuery {
    Pairings among;
    std::optional<domain::ClusterId> cluster; // none: by the name of the test
    std::string test;

    struct Place {
        TimePoint at{};
        std::int64_t id{0};
    };

    std::optional<Place> before;
    std::size_t limit{50};
};

/// One test at one downstream.
struct TestView {
    domain::Pairing at;
    std::size_t failures{0};
    TimePoint first_seen{};
    TimePoint last_seen{};
    std::vector<domain::ClusterId> clusters;
};

/// What the report of one execution tells of its failed tests, in its order.
struct ToldTests {
    JobId job{};
    std::vector<domain::FailedTest> tests;
};

// --- flaky jobs

struct FlakyView {
    domain::Pairing at;
    std::string workflow;
    std::string job;
    std::size_t flaky{0};  // cells in the window
    std::size_t passed{0}; // those and the ones that simply passed
};

struct FlakyExample {
    std::optional<PrNumber> pr;
    HeadSha head;
    std::string event_type;
    TimePoint at{};
    JobId job{}; // the newest
};

// --- one commit

struct CommitQuery {
    RepoName upstream;
    HeadSha head;
    std::string event_type;
    Pairings among;
};

/// How the same job stood on trunk.
struct TrunkCell {
    HeadSha head;
    std::string event_type;
    TimePoint at{};
    domain::CellOutcome outcome{};
    JobId job{};
};

struct CommitCell {
    RepoName downstream;
    std::string workflow;
    std::string job;
    std::int64_t cell{0};
    domain::CellOutcome outcome{};
    std::optional<TrunkCell> trunk;            // the newest that ended before this one did
    std::optional<domain::FailureFacts> facts; // of one that failed, timed out or is flaky

    struct Test {
        JobId job{};
        std::size_t place{0}; // in its report
        domain::ClusterId cluster{};
    };

    std::vector<Test> tests; // those that have a cluster
};

} // namespace baton::ports
