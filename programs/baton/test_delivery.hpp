#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/ports/store.hpp"

#include <string>

namespace baton::program {

/// What a test dispatch is about.
struct TestSubject {
    DeliveryId id; // test-...
    RepoName upstream;
    domain::Downstream downstream;
    std::string event; // push or pull_request
    std::string ref;   // of the upstream, in full or short
    HeadSha head;
    TimePoint now{};
    std::string actor;
};

/// A made-up delivery that reads like GitHub's, marked as a test, and its one dispatch.
ports::TestDispatch test_of(const TestSubject& subject);

} // namespace baton::program
