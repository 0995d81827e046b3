#include "baton/relay/rights_book.hpp"

#include "baton/async/deadline.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/plan.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"

#include <boost/asio/awaitable.hpp>

#include <set>
#include <string>
#include <utility>

namespace baton::relay {

boost::asio::awaitable<domain::Rights>
RightsBook::rights_of(RepoName upstream, std::set<Login> people) {
    const auto until = around_.clock.now() + limits::kRightsWait;
    domain::Rights rights;
    for (const auto& login : people) {
        const Whom whom(upstream, login);
        if (!is_known(whom) && around_.clock.now() >= silent_until_) {
            co_await ask(whom, until);
        }
        const auto found = remembered_.find(whom);
        if (found != remembered_.end() && is_known(whom) && found->second.permission) {
            rights.known[login] = *found->second.permission;
        }
    }
    co_return rights;
}

bool RightsBook::is_known(const Whom& whom) const {
    const auto found = remembered_.find(whom);
    return found != remembered_.end() && around_.clock.now() < found->second.until;
}

boost::asio::awaitable<void> RightsBook::ask(Whom whom, TimePoint until) {
    ports::PermissionQuery query{.repo = whom.first, .login = whom.second};
    auto asking = around_.github.permission(std::move(query));
    auto time_up = around_.clock.sleep_until(until);
    const auto asked = co_await async::with_deadline(std::move(asking), std::move(time_up));
    const auto now = around_.clock.now();
    if (remembered_.size() >= limits::kRightsPeopleMax) {
        remembered_.clear(); // rare, and only costs questions
    }
    if (asked && *asked) {
        remembered_[whom] = {.permission = **asked, .until = now + limits::kRightsRemembered};
        co_return;
    }
    std::string why = "GitHub did not answer in time; nobody's rights are asked for a while";
    if (asked) {
        why = asked->error().detail;
        remembered_[whom] = {.permission = {}, .until = now + limits::kRightsNotAskedAgain};
    } else {
        silent_until_ = now + limits::kPlanAgain;
    }
    around_.journal.note(ports::Trouble{.healed = true, .where = "rights", .detail = std::move(why)}
    );
}

} // namespace baton::relay
