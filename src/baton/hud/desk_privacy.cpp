#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/hud/desk.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace baton::hud {

namespace {

/// Names of downstreams that are listed and not open, in lower case.
std::vector<std::string> hidden_names(const std::vector<ListInForce>& lists) {
    std::vector<std::string> names;
    for (const auto& list : lists) {
        if (!list.allowlist) {
            continue;
        }
        for (const auto& listed : list.allowlist->downstreams()) {
            if (listed.visibility != domain::Visibility::open) {
                names.push_back(listed.repo.key());
            }
        }
    }
    return names;
}

} // namespace

Result<domain::Pairing>
Desk::listed(const RepoName& downstream, const std::optional<RepoName>& upstream) const {
    for (const auto& list : sources_.lists()) {
        const auto* found = list.allowlist ? list.allowlist->find(downstream) : nullptr;
        const bool open = found != nullptr && found->visibility == domain::Visibility::open;
        if (open && (!upstream || *upstream == list.upstream)) {
            return domain::Pairing{.upstream = list.upstream, .downstream = found->repo};
        }
    }
    return fail(Errc::not_found, fmt::format("{} stands in no allowlist", downstream.text()));
}

bool Desk::shows(const RepoName& downstream) const {
    return listed(downstream, std::nullopt).has_value();
}

void Desk::hide_private(std::vector<ports::PullRow>& rows) const {
    for (auto& row : rows) {
        std::erase_if(row.backends, [this](const ports::PullRow::Backend& backend) {
            return !shows(backend.downstream);
        });
    }
}

void Desk::hide_private(std::vector<ports::DeadDispatch>& rows) const {
    std::erase_if(rows, [this](const ports::DeadDispatch& row) { return !shows(row.downstream); });
}

/// A line of the ledger may name several downstreams in one sentence: then it is not shown at all.
void Desk::hide_private(ports::DeliveryHistory& history) const {
    std::erase_if(history.dispatches, [this](const ports::DispatchHistory& one) {
        return !shows(one.dispatch.key.downstream);
    });
    const auto hidden = hidden_names(sources_.lists());
    std::erase_if(history.ledger, [&hidden](const ports::LedgerLine& line) {
        const auto detail = lower(line.detail);
        return std::ranges::any_of(hidden, [&detail](const std::string& name) {
            return detail.find(name) != std::string::npos;
        });
    });
}

} // namespace baton::hud
