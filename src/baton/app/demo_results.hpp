#pragma once

#include "baton/app/demo_view.hpp"
#include "baton/base/ids.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/downstream_book.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace baton::app::demo {

/// What downstreams reported during a demo and what became of it.
struct ResultAccount {
    std::size_t reports{0}; // made, each once however often it was tried
    Results results;
    std::size_t unanswered{0}; // no answer, or only 429 and 5xx
    std::size_t jobs{0};
    std::size_t unbound{0};         // of those: shown, and never a check
    std::size_t replaced{0};        // of those: the relay had concluded, the downstream's word came
    std::vector<Counted> refusals;  // by what was wrong with them
    std::vector<std::string> wrong; // each a sentence; empty: nothing is lost
};

/// Compares what the simulated downstreams said and heard with what the store holds.
///
///   - A report that was answered 200 is in the store as it was said.
///   - No honest report was refused, and no forged one was taken.
class ResultAuditor {
public:
    struct Evidence {
        const std::deque<sim::SentReport>& sent;
        ports::ResultCounts counts;
    };

    explicit ResultAuditor(const Evidence& evidence)
        : evidence_(evidence) {}

    /// Each delivery of the store once.
    void look_at(const ports::DeliveryHistory& history);
    ResultAccount finish();

private:
    using Place = std::tuple<std::string, RepoName, domain::JobKey>; // delivery, downstream

    void look_at_answer(const sim::SentReport& sent);
    void look_for(const sim::SentReport& sent);
    void note_refusal(const sim::SentReport& sent);
    void wrong(const sim::SentReport& sent, const std::string& what);

    Evidence evidence_;
    ResultAccount account_;
    std::map<Place, domain::Job> jobs_;
    std::map<std::string, std::size_t> refusals_;
};

/// What the screen shows of it while the play goes on.
Results results_so_far(
    const std::map<RepoName, sim::ReportCount>& reports, const ports::ResultCounts& counts
);

} // namespace baton::app::demo
