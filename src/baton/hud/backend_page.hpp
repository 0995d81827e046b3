#pragma once

#include "baton/base/time.hpp"
#include "baton/domain/figures.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/window.hpp"
#include "baton/ports/views.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::hud {

/// One step from nothing to a downstream whose results count.
struct OnboardingStep {
    std::string_view step; // one of the words of the API
    bool done{false};
    std::optional<TimePoint> at;
    std::string_view hint; // what to do when it is not done
};

struct BackendPage {
    Window window;
    DownstreamLine line;
    domain::Spread queue;
    domain::Spread run;
    std::vector<ports::DayView> days;           // oldest first; a day without anything is not there
    std::vector<ports::JobNameView> worst_jobs; // the worst first, at most 20
    std::vector<OnboardingStep> onboarding;
};

struct BackendFacts {
    Window window;
    DownstreamLine line;
    ports::TimesView times;
    std::vector<ports::DayView> days;
    std::vector<ports::JobNameView> jobs;
    bool pinned{false};
    bool bound{false}; // a report showed its dispatch's callback token
};

BackendPage backend_page_of(BackendFacts facts);

} // namespace baton::hud
