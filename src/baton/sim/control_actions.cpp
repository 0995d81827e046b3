#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/plan.hpp"
#include "baton/sim/control_args.hpp"
#include "baton/sim/control_calls.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/sim_world.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::sim {

namespace json = boost::json;

namespace {

Result<std::vector<FileChange>> changes_in(const ControlArgs& args) {
    std::vector<FileChange> out;
    const auto* const files = args.find("files");
    if (files == nullptr) {
        return out;
    }
    if (!files->is_object()) {
        return fail(
            Errc::invalid, "\"files\" must map paths to texts, or to null for removed ones"
        );
    }
    for (const auto& [path, text] : files->as_object()) {
        FileChange change{.path = std::string(path), .text = std::nullopt};
        if (text.is_string()) {
            change.text = std::string(text.as_string());
        }
        out.push_back(std::move(change));
    }
    return out;
}

} // namespace

json::value sent(SimWorld& world, const Webhook& webhook) {
    world.outbox.put(webhook.id);
    json::object out{
        {"delivery_id", webhook.id.text()},
        {"event", webhook.event},
        {"action", webhook.action},
        {"head_sha", webhook.head.text()},
        {"body_bytes", webhook.body.size()},
    };
    if (webhook.pr) {
        out["number"] = static_cast<std::int64_t>(*webhook.pr);
    }
    return out;
}

ControlResult create_repo(SimWorld& world, const ControlArgs& args, TimePoint now) {
    NewRepo repo{.now = now};
    BATON_TRY(repo.name, args.repo());
    BATON_TRY(repo.default_branch, args.text("default_branch", "main"));
    BATON_TRY(repo.is_private, args.flag("private", false));
    BATON_TRY(repo.installed, args.flag("installed", true));
    BATON_TRY(const auto id, world.model.create_repo(repo));
    return json::object{{"id", static_cast<std::int64_t>(id)}};
}

ControlResult rename_repo(SimWorld& world, const ControlArgs& args, TimePoint /*now*/) {
    BATON_TRY(const auto from, args.repo());
    BATON_TRY(const auto to, args.repo("to"));
    const auto done = world.model.rename(from, to);
    return done ? ControlResult(json::object{}) : fail(done.error());
}

ControlResult install(SimWorld& world, const ControlArgs& args, TimePoint now) {
    BATON_TRY(const auto repo, args.repo());
    BATON_TRY(const auto installed, args.flag("installed", true));
    BATON_TRY(const auto webhook, world.model.set_installed(repo, installed, now));
    return sent(world, webhook);
}

ControlResult set_permission(SimWorld& world, const ControlArgs& args, TimePoint /*now*/) {
    BATON_TRY(const auto repo, args.repo());
    BATON_TRY(const auto login, args.text("login"));
    BATON_TRY(const auto name, args.text("permission", "read"));
    const auto done =
        world.model.set_permission(repo, Login(login), domain::permission_named(name));
    return done ? ControlResult(json::object{}) : fail(done.error());
}

ControlResult put_file(SimWorld& world, const ControlArgs& args, TimePoint /*now*/) {
    NewFile file;
    BATON_TRY(file.repo, args.repo());
    BATON_TRY(file.ref, args.text("ref"));
    BATON_TRY(file.path, args.text("path"));
    BATON_TRY(file.text, args.text("text"));
    const auto done = world.model.put_file(file);
    return done ? ControlResult(json::object{}) : fail(done.error());
}

ControlResult open_pull(SimWorld& world, const ControlArgs& args, TimePoint now) {
    OpenPull what{.now = now};
    BATON_TRY(what.repo, args.repo());
    BATON_TRY(const auto author, args.text("author", "octocat"));
    what.author = Login(author);
    BATON_TRY(what.title, args.text("title", what.title));
    BATON_TRY(what.text, args.text("text", what.text));
    BATON_TRY(what.head_ref, args.text("head_ref", what.head_ref));
    BATON_TRY(what.from_fork, args.flag("from_fork", true));
    BATON_TRY(what.draft, args.flag("draft", false));
    BATON_TRY(what.labels, args.texts("labels"));
    BATON_TRY(const auto bytes, args.number("body_bytes_min"));
    what.body_bytes_min = bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
    BATON_TRY(const auto webhook, world.model.open_pull(what));
    return sent(world, webhook);
}

ControlResult act_on_pull(SimWorld& world, const ControlArgs& args, TimePoint now) {
    PullAction what{.now = now};
    BATON_TRY(what.repo, args.repo());
    BATON_TRY(const auto number, args.number("number"));
    what.number = PrNumber{number};
    BATON_TRY(const auto action, args.text("action"));
    const auto verb = pull_verb_named(action);
    if (!verb) {
        return fail(Errc::invalid, "\"action\" must be one of GitHub's, or merged");
    }
    what.verb = *verb;
    BATON_TRY(const auto by, args.text("by"));
    what.by = Login(by);
    BATON_TRY(what.label, args.text("label"));
    BATON_TRY(const auto webhook, world.model.act(what));
    return sent(world, webhook);
}

ControlResult push(SimWorld& world, const ControlArgs& args, TimePoint now) {
    PushAction what{.now = now};
    BATON_TRY(what.repo, args.repo());
    BATON_TRY(what.ref, args.text("ref", what.ref));
    BATON_TRY(const auto by, args.text("by", "octocat"));
    what.by = Login(by);
    BATON_TRY(what.changes, changes_in(args));
    BATON_TRY(const auto commits, args.number("commits", 1));
    if (commits < 1 || commits > 2048) {
        return fail(Errc::invalid, "\"commits\" must be from 1 to 2048");
    }
    what.commits = static_cast<std::size_t>(commits);
    BATON_TRY(what.remove, args.flag("deleted", false));
    BATON_TRY(const auto webhook, world.model.push(what));
    return sent(world, webhook);
}

} // namespace baton::sim
