#include "baton/hud/shown.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/views.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace baton::hud {

namespace {

constexpr std::string_view kSomebody = "a private downstream";

} // namespace

Shown::Shown(const std::vector<ListInForce>& lists) {
    for (const auto& list : lists) {
        if (!list.allowlist) {
            continue;
        }
        for (const auto& listed : list.allowlist->downstreams()) {
            if (listed.visibility == domain::Visibility::open) {
                open_.emplace(list.upstream, listed.repo);
                open_somewhere_.insert(listed.repo);
            } else {
                private_somewhere_.insert(listed.repo);
            }
        }
    }
}

bool Shown::has(const RepoName& upstream, const RepoName& downstream) const {
    return open_.contains({upstream, downstream});
}

bool Shown::everywhere(const RepoName& downstream) const {
    return open_somewhere_.contains(downstream) && !private_somewhere_.contains(downstream);
}

bool Shown::lists(const RepoName& downstream) const {
    return open_somewhere_.contains(downstream) || private_somewhere_.contains(downstream);
}

bool Shown::has_owner(std::string_view account) const {
    return std::ranges::any_of(open_somewhere_, [account](const RepoName& repo) {
        return lower(repo.owner()) == lower(account);
    });
}

bool Shown::betrays(std::string_view text) const {
    const auto plain = lower(text);
    return std::ranges::any_of(private_somewhere_, [&plain](const RepoName& repo) {
        return plain.find(repo.key()) != std::string::npos;
    });
}

std::string Shown::discreet(std::string text) const {
    for (const auto& repo : private_somewhere_) {
        for (auto at = lower(text).find(repo.key()); at != std::string::npos;
             at = lower(text).find(repo.key(), at + kSomebody.size())) {
            text.replace(at, repo.key().size(), kSomebody);
        }
    }
    return text;
}

void hide(std::vector<ports::PullRow>& rows, const Shown& shown) {
    for (auto& row : rows) {
        std::erase_if(row.backends, [&](const ports::PullRow::Backend& backend) {
            return !shown.has(row.upstream, backend.downstream);
        });
    }
}

void hide(ports::DeliveryHistory& history, const Shown& shown) {
    std::erase_if(history.dispatches, [&shown](const ports::DispatchHistory& one) {
        return !shown.has(one.dispatch.upstream, one.dispatch.key.downstream);
    });
    std::erase_if(history.ledger, [&](const ports::LedgerLine& line) {
        if (line.dispatch) {
            return std::ranges::none_of(history.dispatches, [&line](const auto& one) {
                return one.dispatch.id == *line.dispatch;
            });
        }
        return line.kind != "planned" && shown.betrays(line.detail);
    });
}

} // namespace baton::hud
