#include "baton/app/receivers.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/config/allowlist_at.hpp"
#include "baton/config/config.hpp"
#include "baton/domain/event.hpp"
#include "baton/ports/sink.hpp"
#include "baton/relay/commenter.hpp"
#include "baton/relay/proposer.hpp"
#include "baton/sink/notify_mail.hpp"
#include "baton/sink/notify_webhook.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace baton::app {

namespace {

using Made = std::shared_ptr<ports::Sink>;

Result<Made> made_of(
    const config::Receiver& receiver,
    const config::HookAt& hook,
    const config::Config& /*config*/,
    const ReceiverSurroundings& around
) {
    BATON_TRY(
        auto made,
        sink::NotifyWebhook::make(
            around.executor,
            {.name = receiver.name, .url = hook.url, .secret = hook.secret.reveal()}
        )
    );
    return Made(std::move(made));
}

Result<Made> made_of(
    const config::Receiver& receiver,
    const config::IssueAt& issue,
    const config::Config& config,
    const ReceiverSurroundings& around
) {
    return std::make_shared<relay::Commenter>(
        relay::Commenter::Settings{
            .name = sink::NotifyWebhook::sink_name(receiver.name),
            .repo = issue.repo,
            .issue = issue.number,
            .page = config.public_url,
        },
        relay::Commenter::Surroundings{
            .writing = around.writing, .clock = around.clock, .is_open = around.is_open
        }
    );
}

Result<Made> made_of(
    const config::Receiver& receiver,
    const config::MailAt& mail,
    const config::Config& config,
    const ReceiverSurroundings& /*around*/
) {
    return std::make_shared<sink::NotifyMail>(sink::NotifyMail::Options{
        .name = sink::NotifyWebhook::sink_name(receiver.name),
        .to = mail.to,
        .from = mail.from,
        .server = mail.server,
        .username = mail.username,
        .password = mail.password.reveal(),
        .page = config.public_url,
        .encrypt = sink::must_encrypt(mail.server),
    });
}

/// Where proposals are pull requests, by upstream.
std::map<RepoName, domain::WatchedFile> lists_of(const config::Config& config) {
    std::map<RepoName, domain::WatchedFile> lists;
    for (const auto& upstream : config.upstreams) {
        const auto* const at = std::get_if<config::AllowlistOnGithub>(&upstream.allowlist);
        if (upstream.proposals == config::ProposalWay::pull_request && at != nullptr) {
            lists[upstream.repo] = {.repo = at->repo, .path = at->path, .ref = at->ref};
        }
    }
    return lists;
}

} // namespace

Result<std::vector<std::shared_ptr<ports::Sink>>>
receivers(const config::Config& config, const ReceiverSurroundings& around) {
    std::vector<Made> all;
    for (const auto& one : config.notify) {
        BATON_TRY(
            auto receiver,
            std::visit([&](const auto& at) { return made_of(one, at, config, around); }, one.at)
        );
        all.push_back(std::move(receiver));
    }
    if (auto lists = lists_of(config); !lists.empty()) {
        all.push_back(std::make_shared<relay::Proposer>(
            relay::Proposer::Settings{.lists = std::move(lists), .page = config.public_url},
            relay::Proposer::Surroundings{
                .github = around.github,
                .writing = around.writing,
                .levels = around.levels,
                .clock = around.clock,
            }
        ));
    }
    return all;
}

std::vector<std::string> receiver_names(const config::Config& config) {
    std::vector<std::string> names;
    for (const auto& receiver : config.notify) {
        names.push_back(sink::NotifyWebhook::sink_name(receiver.name));
    }
    if (!lists_of(config).empty()) {
        names.emplace_back(relay::Proposer::kName);
    }
    return names;
}

} // namespace baton::app
