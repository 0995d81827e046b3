// baton downstream dispatch OWNER/REPO --ref REF [--sha SHA] [--event E] [--upstream U] [--wait]
//
// One test dispatch to one downstream: a made-up delivery about an upstream's commit, sent by the
// running relay through the ordinary outbox.

#include "baton/app/ask_github.hpp"
#include "baton/app/system_chance.hpp"
#include "baton/app/system_clock.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "actor.hpp"
#include "command.hpp"
#include "deliveries.hpp"
#include "downstream.hpp"
#include "lookup.hpp"
#include "print.hpp"
#include "store_access.hpp"
#include "test_delivery.hpp"

namespace baton::program {

namespace {

namespace asio = boost::asio;

constexpr std::chrono::milliseconds kLookAgain{200};

struct DispatchOptions {
    StoreChoice store;
    std::string downstream;
    std::string upstream;
    std::string ref;
    std::string sha;
    std::string event{"push"};
    std::string actor;
    bool wait{false};
    std::string patience{"2m"};
    bool json{false};
};

/// The one list that names it; an error says what to add to the command line.
Result<Listed>
choose(const std::vector<Listed>& listed, const RepoName& repo, const RepoName& from) {
    std::vector<const Listed*> found;
    for (const auto& one : listed) {
        if (one.entry.repo == repo && (from.empty() || one.upstream == from)) {
            found.push_back(&one);
        }
    }
    if (found.empty()) {
        return fail(Errc::not_found, not_listed(repo, listed) + ": a relay would not send there");
    }
    if (found.size() > 1) {
        return fail(
            Errc::invalid,
            fmt::format(
                "{} upstreams list {}: say which with --upstream", found.size(), repo.text()
            )
        );
    }
    return *found.front();
}

bool is_sha(const std::string& text) {
    return text.size() == 40 && std::ranges::all_of(text, [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

/// The commit that was named, or what GitHub says; nullopt with the exit code after saying why not.
std::optional<HeadSha>
head_for(const DispatchOptions& options, const RepoName& upstream, int& code) {
    code = Exit::unusable;
    if (!options.sha.empty()) {
        if (!is_sha(options.sha)) {
            complain(fmt::format("--sha: {} is not 40 hexadecimal digits", inert(options.sha)));
            return std::nullopt;
        }
        return HeadSha(options.sha);
    }
    if (options.store.config.empty()) {
        complain("which commit? Say --sha SHA, or --config FILE so that GitHub can be asked");
        return std::nullopt;
    }
    const auto config = load_or_complain(options.store.config);
    if (!config) {
        return std::nullopt;
    }
    auto head = app::ask_head_of(*config, upstream, options.ref);
    if (!head) {
        complain(fmt::format(
            "GitHub cannot say which commit {} of {} is: {}; name it with --sha",
            inert(options.ref),
            upstream.text(),
            inert(head.error().detail)
        ));
        code = Exit::failure;
        return std::nullopt;
    }
    return *std::move(head);
}

DeliveryId new_id() {
    app::SystemChance chance;
    return DeliveryId(fmt::format("test-{:016x}", chance.draw().bits));
}

/// Looks until the dispatch came to rest or patience ends; tells each change on the way.
asio::awaitable<Result<domain::Dispatch>>
watch(ports::Store* store, DeliveryId id, Millis patience, bool aloud) {
    const auto executor = co_await asio::this_coro::executor;
    app::SystemClock clock(executor);
    const auto give_up = clock.now() + patience;
    std::string told;
    for (;;) {
        auto asked = id;
        BATON_CO_TRY(const auto history, co_await store->delivery_history(std::move(asked)));
        const auto& dispatch = history.dispatches.front().dispatch;
        const auto words = fmt::format(
            "{}, {}{}{}",
            name_of(dispatch.state),
            counted(static_cast<std::size_t>(dispatch.attempts), "attempt"),
            dispatch.reason.empty() ? "" : ": ",
            inert(dispatch.reason)
        );
        if (aloud && words != told) {
            fmt::print("{}  {}\n", to_rfc3339(clock.now()), words);
            static_cast<void>(std::fflush(stdout));
            told = words;
        }
        if (domain::is_at_rest(dispatch.state) || clock.now() >= give_up) {
            co_return dispatch;
        }
        co_await clock.sleep_until(clock.now() + kLookAgain);
    }
}

void print_queued(const TestSubject& subject, const domain::Suspension* held) {
    fmt::print(
        "test delivery {}: {} of {} at {} to {}, queued\n",
        subject.id.text(),
        subject.event,
        subject.upstream.text(),
        subject.head.text(),
        subject.downstream.repo.text()
    );
    if (held != nullptr) {
        fmt::print("it waits: {} is {}\n", subject.downstream.repo.text(), inert(to_text(*held)));
    }
}

/// How it ended, or what is known so far without --wait.
int report(const DispatchOptions& options, ports::Store& store, const DeliveryId& id) {
    const auto patience = options.wait ? *parse_duration(options.patience) : Millis{0};
    const auto dispatch = run(watch(&store, id, patience, options.wait && !options.json));
    if (!dispatch) {
        complain(inert(dispatch.error().detail));
        return Exit::failure;
    }
    if (options.json) {
        print_json(boost::json::object{{"test", true}, {"dispatch", to_json(*dispatch)}});
    }
    if (!options.wait) {
        return Exit::ok;
    }
    if (dispatch->state == domain::DispatchState::pending) {
        complain(fmt::format(
            "still pending after {}: it is held, or no relay runs; `baton explain {}` tells more",
            options.patience,
            id.text()
        ));
        return Exit::failure;
    }
    return dispatch->sent_at ? Exit::ok : Exit::failure;
}

int dispatch(const DispatchOptions& options) {
    const auto repo = repo_or_complain("the downstream", options.downstream);
    const auto from = options.upstream.empty() ? std::optional(RepoName{})
                                               : repo_or_complain("--upstream", options.upstream);
    if (!repo || !from) {
        return Exit::unusable;
    }
    if (!parse_duration(options.patience)) {
        complain(fmt::format("--patience: {} is no duration", inert(options.patience)));
        return Exit::unusable;
    }
    const auto store = open_store(options.store);
    if (!store) {
        return Exit::unusable;
    }
    const auto now = present();
    const auto listed = run(Lookup(*store).listed());
    const auto chosen = listed ? choose(*listed, *repo, *from) : fail(listed.error());
    if (!chosen) {
        complain(inert(chosen.error().detail));
        return chosen.error().code == Errc::invalid ? Exit::unusable : Exit::failure;
    }
    int code = Exit::ok;
    const auto head = head_for(options, chosen->upstream, code);
    if (!head) {
        return code;
    }
    const TestSubject subject{
        .id = new_id(),
        .upstream = chosen->upstream,
        .downstream = chosen->entry,
        .event = options.event,
        .ref = options.ref,
        .head = *head,
        .now = now,
        .actor = actor(options.actor),
    };
    const auto inserted = run(store->insert_test(test_of(subject)));
    const auto suspensions = run(store->suspensions(now));
    if (!inserted || !suspensions) {
        complain(inert(inserted ? suspensions.error().detail : inserted.error().detail));
        return Exit::failure;
    }
    if (!options.json) {
        const domain::Pairing pairing{.upstream = subject.upstream, .downstream = *repo};
        print_queued(subject, domain::suspension_of(*suspensions, pairing, now));
    }
    return report(options, *store, subject.id);
}

} // namespace

void add_downstream_dispatch(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<DispatchOptions>();
    auto* command = group.add_subcommand("dispatch", "Send one test to one downstream");
    add_downstream_name(*command, options->downstream);
    add_store_options(*command, options->store);
    command->add_option("--ref", options->ref, "The upstream's branch or tag that it is about")
        ->required()
        ->option_text("REF REQUIRED");
    command->add_option("--sha", options->sha, "Its commit; default: GitHub is asked")
        ->option_text("SHA");
    command->add_option("--event", options->event, "As which event; default push")
        ->check(CLI::IsMember({"push", "pull_request"}))
        ->option_text("push|pull_request");
    command->add_option("--upstream", options->upstream, "Where several upstreams list it")
        ->option_text("OWNER/REPO");
    command->add_flag("--wait", options->wait, "Show how it goes until it came to rest");
    command->add_option("--patience", options->patience, "How long to wait; default 2m")
        ->option_text("SPAN");
    add_actor_option(*command, options->actor);
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(Makes up a delivery whose id begins with test- and whose body says {"baton": {"test": true}}, and
queues it for this one downstream; the running relay sends it as it sends everything. Without --sha
the App's credentials in --config are used to ask GitHub for the head of REF.

Examples:
  baton downstream dispatch --config baton.yml org/backend --ref main --wait
  baton downstream dispatch --store baton.db org/backend --ref main --sha SHA

Exit codes: 0 queued (with --wait: sent), 1 not listed, GitHub cannot be asked, or not sent,
2 unusable input.)"
    );
    command->callback([options, &exit_code] { exit_code = dispatch(*options); });
}

} // namespace baton::program
