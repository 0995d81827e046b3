#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/plan.hpp"
#include "baton/sim/check_book.hpp"
#include "baton/sim/comment_book.hpp"
#include "baton/sim/dispatch_log.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/hook_log.hpp"
#include "baton/sim/post.hpp"
#include "baton/sim/seeded_chance.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::sim {

struct NewRepo {
    RepoName name;
    std::string default_branch{"main"};
    bool is_private{false};
    bool installed{true}; // the App is
    TimePoint now{};
};

struct NewFile {
    RepoName repo;
    std::string ref; // "main", "refs/tags/v1"; empty: the default branch
    std::string path;
    std::string text;
};

struct OpenPull {
    RepoName repo;
    Login author;
    std::string title{"Make it faster"};
    std::string text{"What it says."};
    std::string head_ref{"change"};
    bool from_fork{true};
    bool draft{false};
    std::vector<std::string> labels;
    std::size_t body_bytes_min{0
    }; // the description is made so long that the webhook is at least this big
    TimePoint now{};
};

/// What happens to a pull request, in GitHub's words for it.
enum class PullVerb {
    synchronize = 1,
    labeled,
    unlabeled,
    closed,
    merged, // GitHub says "closed" and merged:true
    reopened,
    ready_for_review,
    converted_to_draft,
};

std::optional<PullVerb> pull_verb_named(std::string_view name);

struct PullAction {
    RepoName repo;
    PrNumber number{};
    PullVerb verb{PullVerb::synchronize};
    Login by;
    std::string label; // labeled, unlabeled
    TimePoint now{};
};

struct FileChange {
    std::string path;
    std::optional<std::string> text; // nullopt: removed
};

struct PushAction {
    RepoName repo;
    std::string ref{"refs/heads/main"}; // made when it is not there
    Login by;
    std::vector<FileChange> changes;
    std::size_t commits{1};
    bool remove{false}; // deletes the ref
    TimePoint now{};
};

/// An installation's share of API calls.
struct RateLimit {
    std::int64_t limit{1'000'000
    }; // far above GitHub's own, so that only tests that want a limit meet one
    std::int64_t used{0};
    TimePoint reset_at{};

    std::int64_t remaining() const { return limit > used ? limit - used : 0; }
};

/// GitHub's answer to a `repository_dispatch`: a status and, unless 204, a message.
struct DispatchReply {
    int status{204};
    std::string message;
};

/// Somebody presses "re-run" on the newest check of that name, or on the suite.
struct Rerequest {
    RepoName repo;
    HeadSha head;
    std::string check;                  // empty: the suite
    std::optional<std::int64_t> app_id; // whose; nullopt: our App's
    Login by;
    TimePoint now{};
};

struct NewComment {
    RepoName repo;
    PrNumber number{};
    Login by;
    std::string text;
    TimePoint now{};
};

/// A pull request enters the merge queue, which makes a commit of its own.
struct NewMergeGroup {
    RepoName repo;
    PrNumber number{};
    Login by;
    TimePoint now{};
};

/// Whether branch protection would let a pull request be merged, and what keeps it from that.
struct Mergeability {
    bool mergeable{false};
    std::vector<std::string> waiting_for; // required checks that are not there or have not ended
    std::vector<std::string> failing;
};

/// GitHub as a value: accounts, repositories, pull requests, one App with its installations, what
/// it sent and what it was told. No I/O and no clock: time comes with each action, chance from the
/// seed, so equal seeds and actions give equal bytes. One thread.
///
/// Actions by people answer with the webhook that GitHub would send; it is in the log already,
/// sending it is for the caller. An action that GitHub would refuse fails with `not_found` or
/// `invalid` and changes nothing. Nothing is sent about a repository without the App: acting there
/// fails with `forbidden`.
class GithubModel {
public:
    struct Options {
        std::uint64_t seed{1};
        std::int64_t app_id{12345};
        std::string app_slug{"baton"};
        Site site;
        std::size_t webhooks_max{5000};
        std::size_t dispatch_bodies_max{2000};
        std::int64_t calls_per_hour{RateLimit{}.limit}; // of each installation
    };

    explicit GithubModel(Options options);

    // --- the world before anything happens: no webhooks
    /// `conflict` when the name is taken.
    Result<RepoId> create_repo(const NewRepo& repo);
    const Account& account(const Login& login); // made as a person when it is new
    Result<void>
    set_permission(const RepoName& repo, const Login& login, domain::Permission permission);
    Result<void> put_file(const NewFile& file);
    /// The old name redirects from now on.
    Result<void> rename(const RepoName& from, const RepoName& to);

    void move_to(Site site) { options_.site = std::move(site); } // once the port is known

    // --- what people do
    Result<Webhook> set_installed(const RepoName& repo, bool installed, TimePoint now);
    Result<Webhook> open_pull(const OpenPull& what);
    Result<PrNumber> open_issue(const RepoName& repo); // nobody is told: Baton does not listen
    Result<Webhook> act(const PullAction& what);
    Result<Webhook> push(const PushAction& what);
    /// Sent for another App's check too, which GitHub tells that App only.
    Result<Webhook> rerequest(const Rerequest& what);
    Result<Webhook> comment(const NewComment& what);
    Result<Webhook> request_merge_group(const NewMergeGroup& what);
    /// Branch protection: no merge without these.
    Result<void> require_checks(const RepoName& repo, std::vector<std::string> checks);

    // --- what the App does
    /// Checks as GitHub does and, when all is well, tells the downstream. Rights are for the caller
    /// to check.
    DispatchReply dispatch(RepoId repo, std::string body, TimePoint now);
    PostReply create_check(RepoId repo, const boost::json::value& body, TimePoint now);
    PostReply
    change_check(RepoId repo, std::int64_t check, const boost::json::value& body, TimePoint now);
    PostReply
    create_comment(RepoId repo, PrNumber pr, const boost::json::value& body, TimePoint now);
    PostReply change_comment(
        RepoId repo, std::int64_t comment, const boost::json::value& body, TimePoint now
    );
    PostReply rerun(const Rerun& what);
    /// A branch that begins where another commit is; the bodies are those of GitHub's endpoints.
    PostReply create_ref(RepoId repo, const boost::json::value& body);
    /// A commit on a branch that makes one file, or replaces what is known of it by its blob.
    PostReply
    write_file(RepoId repo, const std::string& path, const boost::json::value& body, TimePoint now);
    /// By the App, from a branch of the repository itself; `id` is its number. No webhook tells of
    /// it.
    PostReply create_pull(RepoId repo, const boost::json::value& body, TimePoint now);

    /// Who knows the runs of Actions; until somebody does there are none.
    void on_rerun(std::function<PostReply(const Rerun&)> listener) {
        rerun_listener_ = std::move(listener);
    }

    /// Asks for one more delivery; `not_found` when the log no longer has it.
    Result<void> redeliver(std::int64_t attempt, TimePoint now);
    /// What was asked for again and not yet taken; the sender empties it.
    std::vector<DeliveryId> take_redeliveries();

    // --- looking
    /// By its present name only; `moved` knows the old ones.
    const Repo* repo(const RepoName& name) const;
    const Repo* repo(RepoId id) const;
    std::optional<RepoId> moved(const RepoName& old_name) const;
    const Pull* pull(const RepoName& repo, PrNumber number) const;
    const Account* find_account(const Login& login) const;
    /// What a person may do; anybody may read what is public.
    domain::Permission permission(const Repo& repo, const Login& login) const;
    /// The branch or tag that a `ref` parameter means: a short or full name, a commit, or empty for
    /// the default.
    static const Branch* branch(const Repo& repo, const std::string& ref);

    /// The commit that a ref means: a branch, a tag, `HEAD`, the head of a pull request, or the SHA
    /// of any commit that was ever seen here.
    static std::optional<HeadSha> commit(const Repo& repo, const std::string& ref);

    /// By the newest check of each required name on the head. success, neutral and skipped pass; a
    /// draft and a closed one cannot be merged.
    Mergeability mergeable(const Repo& repo, const Pull& pull) const;

    std::string slug_of(std::int64_t app_id) const;
    /// The suite of these runs, with its repository.
    boost::json::object suite_json(const Repo& repo, std::span<const CheckRun* const> runs) const;
    /// GitHub's word for what somebody is to a repository.
    std::string association_of(const Repo& repo, const Login& login) const;

    InstallationId installation_of(const Repo& repo) const; // there is one per owner

    const std::map<std::string, InstallationId>& installations() const {
        return installations_;
    } // by owner

    std::vector<const Repo*> installed_repos(InstallationId installation) const;

    /// One more call by this installation; the window starts anew when it is over.
    RateLimit& spend(InstallationId installation, TimePoint now);
    RateLimit& rate_limit(InstallationId installation, TimePoint now);
    /// For every installation, those that have begun to count included.
    void set_calls_per_hour(std::int64_t calls);

    const Options& options() const { return options_; }

    HookLog& hooks() { return hooks_; }

    const HookLog& hooks() const { return hooks_; }

    CheckBook& checks() { return checks_; }

    const CheckBook& checks() const { return checks_; }

    CommentBook& comments() { return comments_; }

    const CommentBook& comments() const { return comments_; }

    DispatchLog& dispatches() { return dispatches_; }

    const DispatchLog& dispatches() const { return dispatches_; }

private:
    struct WebhookDraft {
        std::string event;
        std::string action;
        boost::json::object body;
        Login sender;
        std::optional<PrNumber> pr;
        HeadSha head;
        TimePoint now{};
    };

    static PrNumber next_number(const Repo& repo); // of pull requests and issues
    Result<Repo*> acted_on(const RepoName& name);
    Repo* find(const RepoName& name);
    const Account& owner_account(const Login& login, bool organization);
    RepoId ensure_fork(const Repo& of, const Login& by, TimePoint now);
    void add_place(boost::json::object& body, const Repo& repo) const;
    Webhook pull_webhook(
        const Repo& repo, const Pull& pull, const PullAction& what, boost::json::object extra
    );
    Webhook send(const Repo& repo, WebhookDraft draft);
    boost::json::array push_commits(Repo& repo, const PushAction& what, const HeadSha& head);
    HeadSha new_sha();
    HeadSha new_commit(Repo& in);
    DeliveryId new_delivery_id();

    Options options_;
    SeededChance chance_;
    std::int64_t next_account_{1'200'301};
    std::int64_t next_repo_{186'853'002};
    std::int64_t next_pull_{279'147'437};
    std::int64_t next_installation_{40'100'001};
    std::map<std::string, Account> accounts_;             // by login, lower case
    std::map<std::string, InstallationId> installations_; // by owner, lower case
    std::map<RepoId, Repo> repos_;
    std::map<RepoName, RepoId> names_;
    std::map<RepoName, RepoId> old_names_;
    std::map<InstallationId, RateLimit> limits_;
    std::deque<DeliveryId> redeliveries_;
    HookLog hooks_;
    DispatchLog dispatches_;
    CheckBook checks_;
    CommentBook comments_;
    std::function<PostReply(const Rerun&)> rerun_listener_{[](const Rerun&) {
        return PostReply{.status = 404, .message = "Not Found"};
    }};
};

} // namespace baton::sim
