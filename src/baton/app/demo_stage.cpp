#include "baton/app/demo_stage.hpp"

#include "baton/app/demo_account.hpp"
#include "baton/app/demo_cast.hpp"
#include "baton/app/demo_checks.hpp"
#include "baton/app/demo_downstreams.hpp"
#include "baton/app/demo_notes.hpp"
#include "baton/app/demo_platforms.hpp"
#include "baton/app/demo_reader.hpp"
#include "baton/app/demo_results.hpp"
#include "baton/app/demo_setting.hpp"
#include "baton/app/demo_view.hpp"
#include "baton/app/demo_watch.hpp"
#include "baton/app/service.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/random.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/hook_log.hpp"
#include "baton/sim/sim_server.hpp"
#include "baton/sim/sim_world.hpp"
#include "baton/store/place.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace baton::app::demo {

namespace {

constexpr std::size_t kSecretBytes = 32;
constexpr Millis kJustNow{500};

/// What stands there, or nothing of its kind.
template <class Key, class Value> Value value_in(const std::map<Key, Value>& all, const Key& key) {
    const auto found = all.find(key);
    return found == all.end() ? Value{} : found->second;
}

std::optional<sim::Script>
playing(const std::map<RepoName, sim::Part>& parts, const RepoName& repo) {
    const auto found = parts.find(repo);
    return found == parts.end() ? std::nullopt : std::optional(found->second.script);
}

std::set<RepoName> suspended_after(const std::vector<GateTurn>& turns) {
    std::set<RepoName> out;
    for (const auto& turn : turns) {
        if (turn.suspended) {
            out.insert(turn.downstream);
        } else {
            out.erase(turn.downstream);
        }
    }
    return out;
}

} // namespace

Stage::Stage(const Settings& settings)
    : settings_(settings)
    , clock_(idle_.get_executor())
    , started_(clock_.now())
    , downstreams_(cast())
    , watch_(clock_)
    , people_(settings.seed, watch_)
    , trouble_(people_, watch_)
    , scenes_(people_, watch_)
    , log_(settings.folder + "/relay.log") {}

Stage::~Stage() {
    stop();
}

Result<std::unique_ptr<Stage>> Stage::open(const Settings& settings) {
    std::unique_ptr<Stage> stage(new Stage(settings));
    auto started = stage->start();
    if (!started) {
        return fail(started.error());
    }
    return stage;
}

Result<void> Stage::start() {
    auto raised = raise_github();
    return raised ? start_relay() : raised;
}

Result<void> Stage::raise_github() {
    auto pair = crypto::make_rsa_key_pair();
    private_key_ = std::move(pair.private_pem);
    BATON_TRY(auto key, crypto::RsaPublicKey::parse(pair.public_pem));
    sim::SimServer::Options options;
    options.model.seed = settings_.seed;
    options.model.app_id = kAppId;
    github_ = std::make_unique<sim::SimServer>(std::move(options), std::move(key), clock_);
    auto started = github_->start();
    if (!started) {
        return started;
    }
    return github_->with([this](sim::SimWorld& world) {
        trouble_.begin(world);
        return furnish(world, downstreams_, started_);
    });
}

Result<void> Stage::start_relay() {
    BATON_TRY(auto secret, crypto::random_bytes(kSecretBytes));
    if (auto written = write_assessments(settings_.folder); !written) {
        return written;
    }
    if (auto written = write_profile(settings_.folder); !written) {
        return written;
    }
    auto config = config_for(
        {.folder = settings_.folder,
         .store = settings_.store,
         .port = settings_.port,
         .github = github_->url()},
        private_key_,
        secret
    );
    BATON_TRY(
        relay_,
        Service::open(
            std::move(config),
            {.log = log_, .kill = std::nullopt, .address_setting = "--port", .also = &watch_}
        )
    );
    auto started = relay_->start();
    if (!started) {
        return started;
    }
    BATON_TRY(reader_, Reader::open(settings_.store, clock_.now()));
    github_->with([&](sim::SimWorld& world) {
        world.target = {.url = address() + "/github/webhook", .secret = std::move(secret)};
        cast_scripts(world, downstreams_, address() + "/github/callback");
    });
    started_ = clock_.now();
    watch_.start_at(started_);
    return {};
}

std::string Stage::address() const {
    return fmt::format("http://127.0.0.1:{}", relay_->port());
}

void Stage::play() {
    if (!watch_.seen().allowlist_in_force) {
        return; // what came before it would wait for some seconds, and nobody would see why
    }
    const auto now = clock_.now();
    github_->with([&](sim::SimWorld& world) {
        people_.act(world, now);
        trouble_.act(world, now - started_, now);
        scenes_.act(world, now - started_, now);
    });
    collect_deliveries();
}

void Stage::end_play() {
    github_->with([](sim::SimWorld& world) { Trouble::end(world); });
}

bool Stage::is_busy() {
    collect_deliveries();
    const auto counts = reader_->counts();
    const bool all_arrived = delivered_.size() == people_.made().size();
    if (!counts || !all_arrived || counts->to_plan > 0) {
        return true;
    }
    for (const auto& [state, count] : counts->dispatches) {
        if (state == domain::DispatchState::pending && count > 0) {
            return true;
        }
    }
    return false;
}

bool Stage::is_posting() {
    const auto counts = reader_->check_counts();
    return !counts || (counts->oldest && *counts->oldest + kJustNow < clock_.now());
}

/// GitHub's log forgets; its lines are taken over as they are written.
void Stage::collect_deliveries() {
    constexpr std::size_t kPage = 1000;
    const auto now = clock_.now();
    const auto page = github_->with([&](sim::SimWorld& world) {
        return world.model.hooks().page({.now = now, .before = {}, .limit = kPage});
    });
    for (auto line = page.rbegin(); line != page.rend(); ++line) {
        if (line->id <= last_attempt_) {
            continue;
        }
        last_attempt_ = line->id;
        auto& delivered = delivered_[line->webhook->id];
        ++delivered.attempts;
        delivered.accepted = delivered.accepted || line->status_code == 202;
        delivered.taken += line->status_code / 100 == 2 ? 1 : 0;
    }
}

DownstreamRow Stage::row_of(
    const domain::Downstream& downstream, const Seen& seen, const Figures& figures
) const {
    const auto& repo = downstream.repo;
    const auto count = value_in(figures.received, repo);
    const auto script = playing(figures.parts, repo);
    const Situation situation{
        .downstream = downstream,
        .facts = value_in(seen.downstreams, repo),
        .waiting = value_in(figures.waiting, repo),
        .repeats = count.repeats,
        .reports = script ? report_note(*script, value_in(figures.reports, repo)) : std::nullopt,
        .limited_until = value_in(seen.limited, std::string(repo.owner())),
        .suspended = figures.suspended.contains(repo),
        .now = clock_.now(),
    };
    auto note = note_for(situation);
    return {
        .level = downstream.level,
        .repo = downstream.repo.text(),
        .device = downstream.device,
        .received = count.received,
        .waiting = situation.waiting,
        .failed = situation.facts.failed,
        .note = std::move(note.text),
        .tone = note.tone,
        .featured = is_featured(downstream),
    };
}

Snapshot Stage::snapshot() {
    const auto seen = watch_.seen();
    const auto now = clock_.now();
    Snapshot out{
        .address = address(),
        .upstream = std::string(kUpstream),
        .store_path = store::shown(settings_.store),
        .log_path = settings_.folder + "/relay.log",
        .seed = settings_.seed,
        .uptime = now - started_,
        .stage = {},
        .webhooks = seen.webhooks,
        .dispatches = {},
        .results = {},
        .checks = {},
        .sent_per_second = seen.sent_per_second,
        .median_age = seen.median_age,
        .downstreams = {},
        .happenings = {seen.happenings.begin(), seen.happenings.end()},
    };
    if (const auto counts = reader_->counts()) {
        out.dispatches = counts->dispatches;
        if (counts->oldest_pending) {
            out.oldest_age = now - *counts->oldest_pending;
        }
    }
    auto figures = github_->with([&](sim::SimWorld& world) {
        out.checks = checks_so_far(world.model);
        return Figures{
            .received = world.model.dispatches().downstreams(),
            .waiting = {},
            .reports = world.downstreams.counts(),
            .parts = world.downstreams.parts(),
            .suspended = suspended_after(seen.gate_turns),
        };
    });
    out.checks.suspended = figures.suspended.size();
    if (auto waiting = reader_->waiting(now)) {
        figures.waiting = *std::move(waiting);
    }
    if (const auto counts = reader_->result_counts()) {
        out.results = results_so_far(figures.reports, *counts);
    }
    for (const auto& downstream : downstreams_) {
        out.downstreams.push_back(row_of(downstream, seen, figures));
    }
    for (const auto& [repo, count] : figures.received) {
        out.repeats += count.repeats;
    }
    return out;
}

void Stage::stop() {
    if (relay_) {
        stopped_at_ = clock_.now();
        relay_->stop();
        relay_.reset();
    }
    if (github_) {
        github_->stop();
    }
}

Result<Account> Stage::account() {
    collect_deliveries();
    // Everything has stopped: nobody changes what was received any more.
    const auto [received, reports] = github_->with([](sim::SimWorld& world) {
        return std::pair(&world.model.dispatches(), &world.downstreams.sent());
    });
    BATON_TRY(const auto counts, reader_->result_counts());
    ResultAuditor results({.sent = *reports, .counts = counts});
    Auditor auditor({
        .made = people_.made(),
        .delivered = delivered_,
        .received = *received,
        .downstreams = downstreams_,
        .joined_later = repo_named(kJoinsLater),
    });
    std::set<domain::Subject> subjects;
    auto read = reader_->for_each_delivery([&](const ports::DeliveryHistory& history) {
        auditor.look_at(history);
        results.look_at(history);
        for (const auto& one : history.dispatches) {
            const auto& dispatch = one.dispatch;
            if (dispatch.pr) {
                subjects.insert({dispatch.upstream, dispatch.pr, dispatch.head});
                subjects.insert({dispatch.upstream, dispatch.pr, {}}); // its comment
            }
        }
    });
    if (!read) {
        return fail(read.error());
    }
    auto account = auditor.finish();
    account.results = results.finish();
    BATON_TRY(account.checks, account_of_checks(subjects));
    for (const auto* const wrong : {&account.results.wrong, &account.checks.wrong}) {
        account.wrong.insert(account.wrong.end(), wrong->begin(), wrong->end());
    }
    return account;
}

Result<CheckAccount> Stage::account_of_checks(const std::set<domain::Subject>& subjects) {
    const auto seen = watch_.seen();
    CheckEvidence evidence{
        .checks = {},
        .runs = {},
        .pulls = {},
        .postings = {},
        .counts = {},
        .turns = seen.gate_turns,
        .scenes = scenes_.seen(),
        .stopped_at = stopped_at_,
        .longest_job = longest_job(),
        .longest_gate = longest_gate(),
    };
    const auto& levels = seen.level_turns;
    evidence.scenes.insert(evidence.scenes.end(), levels.begin(), levels.end());
    BATON_TRY(evidence.postings, reader_->postings(subjects));
    BATON_TRY(evidence.counts, reader_->check_counts());
    github_->with([&](sim::SimWorld& world) {
        evidence.checks = checks_so_far(world.model);
        evidence.runs = check_runs_of(world.model);
        evidence.pulls = world.model.repo(repo_named(kUpstream))->pulls;
    });
    return audit_checks(evidence);
}

} // namespace baton::app::demo
