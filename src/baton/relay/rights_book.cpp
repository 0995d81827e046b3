#include "baton/relay/rights_book.hpp"

#include "baton/base/ids.hpp"
#include "baton/domain/plan.hpp"
#include "baton/ports/github.hpp"

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
        if (found != remembered_.end() && clock_.now() < found->second.until) {
            rights.known[login] = found->second.permission;
            continue;
        }
        ports::PermissionQuery query{.repo = upstream, .login = login};
        const auto asked = co_await github_.permission(std::move(query));
        if (!asked) {
            continue;
        }
        if (remembered_.size() >= kPeopleMax) {
            remembered_.clear(); // rare, and only costs questions
        }
        remembered_[key] = {.permission = *asked, .until = clock_.now() + kRemembered};
        rights.known[login] = *asked;
    }
    co_return rights;
}

} // namespace baton::relay
