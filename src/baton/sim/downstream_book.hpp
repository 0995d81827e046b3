#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/actions_runs.hpp"
#include "baton/sim/dispatch_log.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/post.hpp"
#include "baton/sim/report.hpp"
#include "baton/sim/seeded_chance.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace baton::sim {

/// What a downstream shall do from now on whenever it is told of something.
struct Part {
    Script script{Script::pass};
    Pace pace;
    std::string workflow{"ci"};
    std::string callback_url;
    std::string audience{"pytorch-cross-repo-ci-relay"}; // the relay's own default
    std::string fails_as{"failure"};                     // what its failures conclude with
    std::optional<Script> rerun_script;                  // what a re-run plays; nullopt: the same
};

/// A nightly that reports by itself.
struct Nightly {
    RepoName upstream;
    HeadSha head;
};

/// A report that was made, and what came of it in the end.
struct SentReport {
    Report report; // without what it echoed
    std::string delivery_id;
    TimePoint at{}; // the last try
    ReportAnswer answer;
};

/// What a downstream was told, read.
struct Told {
    Cue cue;
    std::shared_ptr<const Echo> echo;
    TimePoint at{};
};

/// A run of a downstream, as Actions keeps it.
struct PlayedRun {
    ActionsRun run; // in its newest attempt
    Part part;
    Told told;                               // what it began with
    std::map<std::string, std::string> jobs; // of that attempt; to their conclusions, empty: none
    TimePoint last_step{};

    /// A runner that is lost is given up after an hour.
    TimePoint ends_at() const;
    std::set<std::string> failed_jobs() const;
};

/// What one downstream said and heard. A report counts once, however often it was tried.
struct ReportCount {
    std::size_t sent{0};
    std::size_t accepted{0};             // 2xx, those below included
    std::size_t duplicates{0};           // said to be one
    std::size_t stale{0};                // said to be too late, and no duplicate
    std::size_t ignored{0};              // level 1
    std::size_t stopped{0};              // told not to proceed
    std::size_t left_unsaid{0};          // because the run was told so
    std::size_t refused{0};              // 4xx
    std::size_t given_up{0};             // nobody answered, or only with 429 and 5xx
    std::size_t tries{0};                // all of them
    std::map<int, std::size_t> refusals; // by status
};

/// Who plays which script, what is to be said when, and what was said. No I/O and no clock: a
/// player takes what is due, says it, and brings the answer back. One thread.
///
/// Every dispatch that arrives starts new runs, a repeated one too, as Actions does. The reports of
/// one job are made one after the other; one that got no answer, 429 or 5xx is tried again as a
/// reporter would. A forger goes away after 429.
class DownstreamBook {
public:
    /// `runs` outlives it.
    DownstreamBook(ActionsRuns& runs, std::uint64_t seed)
        : runs_(runs)
        , seed_(seed) {}

    void play(const RepoName& repo, Part part);

    void forget_parts() { parts_.clear(); }

    const std::map<RepoName, Part>& parts() const { return parts_; }

    /// A downstream was told of something; one without a part does nothing.
    void arrived(const ReceivedDispatch& dispatch, const Repo& repo);
    /// A downstream with a part tests the upstream's head by itself.
    void nightly(const Repo& repo, const Nightly& what, TimePoint now);

    /// Runs it again, one attempt on. GitHub refuses a run that is unknown or deleted (404), that
    /// goes on, began more than 30 days ago or, for `failed_only`, has no failed job (403).
    PostReply rerun(const Rerun& what);

    /// False when there is none.
    bool delete_run(std::int64_t run) { return played_.erase(run) > 0; }

    /// By id, the newest `kRunsKept`.
    const std::map<std::int64_t, PlayedRun>& played() const { return played_; }

    bool goes_on(const PlayedRun& run, TimePoint now) const;

    /// When something can be said next.
    std::optional<TimePoint> next_due() const;
    /// The next report to make. The player brings it back by `answered`.
    std::optional<Report> take(TimePoint now);
    void answered(Report report, ReportAnswer answer, TimePoint now);

    /// Reports that wait for their time, or for an answer.
    std::size_t open() const { return waiting_.size() + under_way_; }

    // --- what was said, the newest `kKept`
    const std::deque<SentReport>& sent() const { return sent_; }

    const std::map<RepoName, ReportCount>& counts() const { return counts_; }

    void clear_sent();

    static constexpr std::size_t kKept = 50'000;
    static constexpr std::size_t kRunsKept = 2'000; // each with what it echoes
    static constexpr int kTriesMax = 8;

private:
    struct SeenToken {
        RepoName repo;
        std::string delivery_id;
        std::string text;
    };

    using Job = std::pair<std::int64_t, std::string>; // run and job

    static Job job_of(const Report& report);
    bool is_free(const Report& report) const;

    void schedule(const Repo& repo, const Part& part, const Told& told);
    /// One step of a run, to be said when its time comes.
    void put(const Part& part, const Told& told, ScriptStep step, ActionsRun run);
    void note_played(const Part& part, const Told& told, const Report& report);
    ActionsRun identity_for(const Report& report) const;
    std::string other_token(const Report& report) const;
    void remember_token(const Repo& repo, const Echo& echo, std::string token);
    void keep(Report report, ReportAnswer answer, TimePoint now);

    ActionsRuns& runs_;
    std::uint64_t seed_;
    std::int64_t next_{1};
    std::map<RepoName, Part> parts_;
    std::map<RepoName, ActionsRun> last_runs_; // for others to pretend to be
    std::deque<SeenToken> tokens_;
    std::multimap<TimePoint, Report> waiting_;
    std::size_t under_way_{0};
    std::map<Job, std::int64_t> busy_; // with which report, until that one is answered for good
    std::set<std::int64_t> stopped_;   // runs that were told not to proceed
    std::deque<SentReport> sent_;
    std::map<RepoName, ReportCount> counts_;
    std::map<std::int64_t, PlayedRun> played_;
};

} // namespace baton::sim
