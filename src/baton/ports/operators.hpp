#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/operating.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/views.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// What the people who run the relay look at beyond its pages, and what they do. Lists come newest
/// first and in pages; what a list hides is left out before the page is cut.
namespace baton::ports {

// --- reports that were refused

struct Refusal {
    RepoName downstream; // empty: nothing that the caller said can be believed
    std::string reason;  // fixed words
    int status{0};
    std::string detail;
    std::string delivery; // empty: none was named, or the caller is unknown
    TimePoint at{};
    std::size_t count{1}; // of the same kind, all in the same hour
};

/// Those of one caller, reason and hour.
struct RefusalGroup {
    std::int64_t id{0};
    Refusal newest;
    TimePoint first_at{};
    std::size_t count{0};
};

struct RefusalQuery {
    std::optional<RepoName> downstream;
    std::string reason;                 // empty: any
    std::optional<std::int64_t> before; // id of the last row of the page before
    std::size_t limit{50};
    std::function<bool(const RepoName&)> shown; // of downstreams that are known
};

struct RefusalTotal {
    RepoName downstream;
    std::string reason;
    std::size_t count{0};
    TimePoint last_at{};
};

// --- what was given up

/// At most so many rows are looked through for one page of a list that hides some.
inline constexpr std::size_t kWalkedMax = 20'000;

struct GivenUpQuery {
    std::optional<RepoName> downstream;
    std::string reason; // exactly; empty: any
    std::optional<std::int64_t> before;
    std::size_t limit{50};
    std::size_t walk{kWalkedMax};
    std::function<bool(const DeadDispatch&)> shown;
};

/// Rows of a list that hides some; may be fewer than asked for, and still not the last.
struct GivenUpPage {
    std::vector<DeadDispatch> rows;
    std::optional<std::int64_t> next; // `before` of the page after; none: this is the end
};

/// A dead letter and what the result that it tells was of.
struct LetterView : DeadLetter {
    RepoName upstream;
    RepoName downstream;
    std::optional<PrNumber> pr;
    std::string event_type;
};

struct LetterViewQuery {
    /// Letters may die in the same millisecond, so a place has both.
    struct Place {
        TimePoint died_at{};
        std::int64_t id{0};
    };

    std::optional<RepoName> downstream;
    std::string reason; // its detail
    std::optional<Place> before;
    std::size_t limit{50};
    std::size_t walk{kWalkedMax};
    std::function<bool(const LetterView&)> shown;
};

struct LetterViewPage {
    std::vector<LetterView> rows;
    std::optional<LetterViewQuery::Place> next; // as above
};

// --- deliveries

/// How the newest generation to one downstream stands.
struct DispatchStanding {
    RepoName upstream;
    RepoName downstream;
    domain::DispatchState state{};
    bool silent{false};
};

// --- downstreams

/// Something that whoever follows a downstream wants to hear of.
struct DownstreamEvent {
    std::int64_t id{0};
    RepoName upstream; // empty: of every upstream
    RepoName downstream;
    TimePoint at{};
    std::string kind; // suspended, resumed, gate_suspended, gate_resumed, silent, failed
    std::optional<PrNumber> pr;
    HeadSha head;
    std::optional<JobId> job;
    std::string detail;
};

// --- notes and acknowledgements

/// Who acts, and why: both go into the ledger with what was done.
struct ActedBy {
    std::string actor;
    std::string reason;
    TimePoint now{};
};

struct Note {
    std::int64_t id{0};
    std::string about;   // pull, downstream, delivery, cluster
    std::string subject; // "owner/name#7", "owner/name", an id
    std::string text;
    std::string actor;
    TimePoint at{};
    std::optional<TimePoint> expires_at; // none: it stays
};

struct NoteQuery {
    std::string about;   // empty: any
    std::string subject; // together with `about` only
    std::optional<std::int64_t> before;
    std::size_t limit{50};
    TimePoint now{};
    std::function<bool(const Note&)> shown;
};

struct Acknowledgement {
    std::string key;
    TimePoint at{};
    TimePoint until{};
    std::string actor;
    std::string reason;
};

struct ActQuery {
    std::optional<std::int64_t> before; // sequence of the last line of the page before
    std::size_t limit{50};
};

// --- the store itself

struct SinkQueue {
    std::string sink;
    std::size_t waiting{0}; // at most kCountedMax are counted, here and below
    std::size_t dead{0};
};

struct StoreState {
    static constexpr std::size_t kCountedMax = 10'000;

    std::string kind;     // "sqlite" or "postgresql"
    std::size_t bytes{0}; // data and log on disk
    int schema{0};
    std::optional<TimePoint> oldest_body_at;   // when the oldest delivery with a payload came
    std::optional<TimePoint> oldest_result_at; // when the oldest job that is kept ended or began
    std::optional<TimePoint> results_until;    // of what ended before, results may be pruned
    StoreSizes sizes;                          // as they were last measured
    std::size_t leased{0};                     // dispatches that are being sent
    std::optional<TimePoint> last_delivery_at;
    std::vector<SinkQueue> sinks;
};

class Operators {
public:
    template <class T> using Awaitable = boost::asio::awaitable<Result<T>>;

    Operators() = default;
    Operators(const Operators&) = delete;
    Operators& operator=(const Operators&) = delete;
    virtual ~Operators() = default;

    /// All of them at once; open pages are told.
    virtual Awaitable<void> keep_refusals(std::vector<Refusal> refusals) = 0;
    virtual Awaitable<std::vector<RefusalGroup>> refusals(RefusalQuery query) = 0;
    /// Of the hours that began then or later, by downstream and reason.
    virtual Awaitable<std::vector<RefusalTotal>> refusal_totals(TimePoint from) = 0;

    virtual Awaitable<GivenUpPage> given_up(GivenUpQuery query) = 0;
    virtual Awaitable<LetterViewPage> dead_letters(LetterViewQuery query) = 0;
    /// Of deliveries by their sequence numbers.
    virtual Awaitable<std::map<std::int64_t, std::vector<DispatchStanding>>>
    standings(std::vector<std::int64_t> deliveries) = 0;
    virtual Awaitable<std::vector<DownstreamEvent>>
    downstream_events(RepoName downstream, std::size_t limit) = 0;
    virtual Awaitable<std::vector<AllowlistVersion>>
    allowlist_versions(RepoName upstream, std::size_t limit) = 0;
    virtual Awaitable<StoreState> state(std::vector<std::string> sinks, TimePoint now) = 0;

    virtual Awaitable<std::vector<Note>> notes(NoteQuery query) = 0;
    virtual Awaitable<std::vector<Acknowledgement>> acknowledgements(TimePoint now) = 0;
    /// Lines of the ledger about what people did.
    virtual Awaitable<std::vector<LedgerLine>> acts(ActQuery query) = 0;

    // --- acting: each is one transaction with its line in the ledger
    virtual Awaitable<Note> annotate(Note note, ActedBy by) = 0;          // with its id
    virtual Awaitable<Note> remove_note(std::int64_t id, ActedBy by) = 0; // not_found
    /// One of the same key is replaced.
    virtual Awaitable<void> acknowledge(Acknowledgement acknowledgement, ActedBy by) = 0;
    virtual Awaitable<bool> lift_acknowledgement(std::string key, ActedBy by) = 0; // was there one
    /// False when its key is known: then nothing changes.
    virtual Awaitable<bool> order_rerun(domain::NewRerun order, ActedBy by) = 0;
    virtual Awaitable<void> suspend(domain::Suspension suspension, ActedBy by) = 0;
    virtual Awaitable<std::size_t> resume(Resumption resumption, ActedBy by) = 0;
    virtual Awaitable<std::size_t> redeliver(RedeliverQuery query, ActedBy by) = 0;
};

} // namespace baton::ports
