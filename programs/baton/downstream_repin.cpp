// baton downstream repin OWNER/REPO [--repository-id N --owner-id N]
//
// Records by which numbers GitHub knows a repository: a name that comes back with others is another
// repository, and is refused until somebody repins it.

#include "baton/app/ask_github.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/caller.hpp"
#include "baton/ports/store.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "actor.hpp"
#include "command.hpp"
#include "downstream.hpp"
#include "print.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

namespace json = boost::json;

struct RepinOptions {
    StoreChoice store;
    std::string repo;
    std::optional<std::int64_t> repository_id;
    std::optional<std::int64_t> owner_id;
    std::string actor;
    bool json{false};
};

/// By hand or from GitHub; nullopt with the exit code after saying why not.
std::optional<domain::ImmutableIds>
ids_for(const RepinOptions& options, const RepoName& repo, int& code) {
    code = Exit::unusable;
    if (options.repository_id) {
        return domain::ImmutableIds{
            .repository = *options.repository_id, .owner = *options.owner_id
        };
    }
    if (options.store.config.empty()) {
        complain("say --config FILE so that GitHub can be asked, or --repository-id and --owner-id"
        );
        return std::nullopt;
    }
    const auto config = load_or_complain(options.store.config);
    if (!config) {
        return std::nullopt;
    }
    const auto ids = app::ask_ids_of(*config, repo);
    if (!ids) {
        complain(fmt::format(
            "GitHub cannot be asked about {}: {}; nothing is pinned",
            repo.text(),
            inert(ids.error().detail)
        ));
        code = Exit::failure;
        return std::nullopt;
    }
    return *ids;
}

json::object json_of(const ports::Pin& pin) {
    return {
        {"repository_id", pin.repository_id},
        {"owner_id", pin.owner_id},
        {"pinned_at", to_rfc3339(pin.pinned_at)},
        {"actor", json_text(pin.actor)},
    };
}

std::string words_for(const ports::Pin& pin) {
    return fmt::format(
        "repository {}, owner {} (pinned {} by {})",
        pin.repository_id,
        pin.owner_id,
        to_rfc3339(pin.pinned_at),
        inert(pin.actor)
    );
}

int repin(const RepinOptions& options) {
    const auto repo = repo_or_complain("the repository", options.repo);
    if (!repo) {
        return Exit::unusable;
    }
    const auto store = open_store(options.store);
    if (!store) {
        return Exit::unusable;
    }
    int code = Exit::ok;
    const auto ids = ids_for(options, *repo, code);
    if (!ids) {
        return code;
    }
    const ports::Pin pin{
        .repo = *repo,
        .repository_id = ids->repository,
        .owner_id = ids->owner,
        .pinned_at = present(),
        .actor = actor(options.actor),
    };
    const auto before = run(store->repin(pin));
    if (!before) {
        complain(inert(before.error().detail));
        return Exit::failure;
    }
    if (options.json) {
        print_json(json::object{
            {"repo", repo->text()},
            {"before", *before ? json::value(json_of(**before)) : json::value(nullptr)},
            {"now", json_of(pin)},
        });
    } else {
        fmt::print(
            "{}\n  before  {}\n  now     {}\n",
            repo->text(),
            *before ? words_for(**before) : "no pin",
            words_for(pin)
        );
    }
    return Exit::ok;
}

} // namespace

void add_downstream_repin(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<RepinOptions>();
    auto* command = group.add_subcommand("repin", "Record which repository a name stands for");
    add_downstream_name(*command, options->repo);
    add_store_options(*command, options->store);
    auto* repository =
        command->add_option("--repository-id", options->repository_id, "By hand: its number")
            ->check(CLI::PositiveNumber)
            ->option_text("N");
    auto* owner =
        command->add_option("--owner-id", options->owner_id, "By hand: its owner's number")
            ->check(CLI::PositiveNumber)
            ->option_text("N");
    repository->needs(owner);
    owner->needs(repository);
    add_actor_option(*command, options->actor);
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(Names can be given up and taken by somebody else; the numbers of a repository and its owner cannot.
Asks GitHub for them with the App's credentials and shows the pin before and now.

Example:
  baton downstream repin --config baton.yml org/backend

Exit codes: 0 pinned, 1 GitHub cannot be asked, 2 unusable input.)"
    );
    command->callback([options, &exit_code] { exit_code = repin(*options); });
}

} // namespace baton::program
