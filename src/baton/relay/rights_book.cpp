#include "baton/relay/rights_book.hpp"

#include "baton/base/ids.hpp"
#include "baton/domain/plan.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"

#include <boost/asio/awaitable.hpp>

#include <set>
#include <utility>

namespace baton::relay {

boost::asio::awaitable<domain::Rights>
RightsBook::rights_of(RepoName upstream, std::set<Login> people) {
    domain::Rights rights;
    for (const auto& login : people) {
        const auto key = std::pair(upstream, login);
        const auto found = remembered_.find(key);
        if (found == remembered_.end() || around_.clock.now() >= found->second.until) {
            co_await ask(key);
        }
        if (const auto& known = remembered_[key].permission) {
            rights.known[login] = *known;
        }
    }
    co_return rights;
}

boost::asio::awaitable<void> RightsBook::ask(std::pair<RepoName, Login> whom) {
    ports::PermissionQuery query{.repo = whom.first, .login = whom.second};
    const auto asked = co_await around_.github.permission(std::move(query));
    if (remembered_.size() >= kPeopleMax) {
        remembered_.clear(); // rare, and only costs questions
    }
    if (asked) {
        remembered_[whom] = {.permission = *asked, .until = around_.clock.now() + kRemembered};
        co_return;
    }
    around_.journal.note(
        ports::Trouble{.healed = true, .where = "rights", .detail = asked.error().detail}
    );
    remembered_[whom] = {.permission = {}, .until = around_.clock.now() + kNotAskedAgain};
}

} // namespace baton::relay
