#include "sim/checkers.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/callback_token.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/quota.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/retry.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/dispatch_log.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/life.hpp"
#include "sim/world.hpp"

namespace baton::test {

namespace {

using domain::DispatchState;

std::size_t unknown_attempts(const ports::DispatchHistory& one) {
    return static_cast<std::size_t>(std::ranges::count_if(
        one.attempts,
        [](const ports::Attempt& attempt) {
            return !attempt.outcome || *attempt.outcome == domain::Outcome::unknown;
        }
    ));
}

bool always_dispatched(const domain::Downstream& downstream, const sim::Webhook& webhook) {
    if (downstream.trigger != domain::Trigger::always || downstream.trust != domain::Trust::any) {
        return false;
    }
    return downstream.push_refs.empty() || webhook.event != "push";
}

bool has_arrived(DispatchState state) {
    return state == DispatchState::sent || state == DispatchState::started ||
           state == DispatchState::finished;
}

class Inspection {
public:
    explicit Inspection(World& world)
        : world_(world) {
        for (const auto& key : world.signing_keys()) {
            keys_.push_back({.id = key.id, .secret = key.secret});
        }
    }

    std::vector<std::string> findings() {
        look_at_webhooks(); // first: it finds what was taken in although no answer got out
        for (const auto& id : world_.accepted()) {
            note_news(world_.history(id));
        }
        for (const auto& id : world_.accepted()) {
            const auto history = world_.history(id);
            look_at_delivery(history);
            look_at_arrivals(history);
            for (const auto& one : history.dispatches) {
                look_at_dispatch(one);
            }
        }
        look_at_generations();
        look_at_limits();
        const auto results = check_results(world_);
        findings_.insert(findings_.end(), results.begin(), results.end());
        const auto checks = check_checks(world_);
        findings_.insert(findings_.end(), checks.begin(), checks.end());
        return findings_;
    }

private:
    /// Nothing that GitHub sent is missed, unless it was asked for as often as we may.
    void look_at_webhooks() {
        for (const auto& id : world_.undelivered()) {
            expect(
                world_.is_given_up(id),
                fmt::format("{} was sent and is neither here nor given up", id.text())
            );
        }
    }

    /// Nothing is sent while limited, and no limit is run into but by the probes of
    /// a new life.
    void look_at_limits() {
        expect(
            world_.requests_while_limited() == 0,
            fmt::format("{} requests left while limited", world_.requests_while_limited())
        );
        const auto accounts = world_.github().installations().size();
        expect(
            world_.limit_answers() <= world_.lives() * accounts * domain::kProbesMax,
            fmt::format("a spent quota was run into {} times", world_.limit_answers())
        );
    }

    /// What a webhook told about a pull request, and when the relay had understood it.
    struct News {
        DeliveryId delivery;
        HeadSha head;
        bool closed{false};
        std::int64_t second{0}; // GitHub's clock, as fine as its webhooks tell it
        TimePoint understood_at{};
    };

    static std::int64_t second_of(const sim::Webhook& webhook) {
        return to_ms(webhook.created_at) / 1000;
    }

    void note_news(const ports::DeliveryHistory& history) {
        const auto& webhook = world_.webhook(history.delivery.id);
        if (!webhook.pr) {
            return;
        }
        for (const auto& line : history.ledger) {
            if (line.kind == "planned") {
                news_[*webhook.pr].push_back({
                    .delivery = webhook.id,
                    .head = webhook.head,
                    .closed = webhook.action == "closed",
                    .second = second_of(webhook),
                    .understood_at = line.at,
                });
                return;
            }
        }
    }

    /// A later webhook of any kind can tell that a closed pull request was reopened.
    static bool is_open_again(const std::vector<News>& all, const News& closed, TimePoint by) {
        return closed.closed && std::ranges::any_of(all, [&](const News& other) {
                   return !other.closed && other.second >= closed.second &&
                          other.understood_at <= by;
               });
    }

    /// Nothing is begun for a commit or an open pull request that the relay knew to be history.
    void look_for_late_starts(const ports::DispatchHistory& one, const std::string& name) {
        if (!one.dispatch.pr || world_.swarm().clock_jump > 0) {
            return; // after a jump, "later" cannot be read off the clock
        }
        const auto& own = world_.webhook(one.dispatch.key.delivery);
        const auto& all = news_[*one.dispatch.pr];
        for (const auto& news : all) {
            // A webhook that came late told nothing new: whatever overtook it counts in its place.
            const bool stale = std::ranges::any_of(all, [&](const News& other) {
                return other.second > news.second && other.understood_at <= news.understood_at;
            });
            if (stale) {
                continue;
            }
            const bool ends_it =
                news.head != one.dispatch.head || (news.closed && own.action != "closed");
            if (!ends_it || news.second <= second_of(own)) {
                continue;
            }
            const bool late = std::ranges::any_of(one.attempts, [&](const ports::Attempt& attempt) {
                return attempt.started_at > news.understood_at &&
                       !is_open_again(all, news, attempt.started_at);
            });
            expect(
                !late,
                fmt::format("{} was begun although {} had overtaken it", name, news.delivery.text())
            );
        }
    }

    void look_at_delivery(const ports::DeliveryHistory& history) {
        const auto& delivery = history.delivery;
        expect(
            delivery.state == ports::DeliveryState::planned,
            fmt::format("{} was accepted and never planned", delivery.id.text())
        );
        const auto& webhook = world_.webhook(delivery.id);
        const bool forwarded = webhook.event == "push" || webhook.action == "opened" ||
                               webhook.action == "synchronize" || webhook.action == "closed" ||
                               webhook.action == "reopened";
        for (const auto& downstream : world_.allowlist().downstreams()) {
            const bool has =
                std::ranges::any_of(history.dispatches, [&](const ports::DispatchHistory& one) {
                    return one.dispatch.key.downstream == downstream.repo;
                });
            expect(
                has || !forwarded || !always_dispatched(downstream, webhook),
                fmt::format(
                    "{} was accepted and {} never got a row",
                    delivery.id.text(),
                    downstream.repo.text()
                )
            );
        }
    }

    static std::string name_of(const domain::Dispatch& dispatch) {
        return fmt::format(
            "{} to {} ({})",
            dispatch.key.delivery.text(),
            dispatch.key.downstream.text(),
            dispatch.key.generation
        );
    }

    static bool is_sibling(const domain::Dispatch& one, const domain::Dispatch& other) {
        return one.key.delivery == other.key.delivery && one.key.downstream == other.key.downstream;
    }

    static std::size_t arrivals_allowed(const ports::DispatchHistory& one) {
        return (has_arrived(one.dispatch.state) ? 1 : 0) + unknown_attempts(one);
    }

    /// Each arrival is one of the generation whose token it carries, and each generation has its
    /// own bound: a doubled dispatch does not hide behind a later one.
    void look_at_arrivals(const ports::DeliveryHistory& history) {
        for (const auto& first : history.dispatches) {
            if (first.dispatch.key.generation != 0) {
                continue;
            }
            std::vector<const ports::DispatchHistory*> siblings;
            std::size_t allowed = 0;
            for (const auto& one : history.dispatches) {
                if (is_sibling(one.dispatch, first.dispatch)) {
                    siblings.push_back(&one);
                    allowed += arrivals_allowed(one);
                }
            }
            const auto received = world_.github().dispatches().find(
                {.repo = first.dispatch.key.downstream,
                 .delivery_id = first.dispatch.key.delivery.text()}
            );
            for (const auto& line : received) {
                note_arrival(line, siblings);
            }
            expect(
                received.size() <= allowed,
                fmt::format(
                    "{} was received {} times in {} generations",
                    name_of(first.dispatch),
                    received.size(),
                    siblings.size()
                )
            );
        }
    }

    void note_arrival(
        const sim::ReceivedDispatch& line,
        const std::vector<const ports::DispatchHistory*>& siblings
    ) {
        const auto& first = siblings.front()->dispatch;
        if (line.body.empty()) { // too old to be kept by the model
            ++nameless_[{first.key.delivery, first.key.downstream}];
            return;
        }
        const auto own = std::ranges::find_if(siblings, [&](const ports::DispatchHistory* one) {
            return is_good_token(line, one->dispatch);
        });
        expect(
            own != siblings.end(),
            fmt::format("{} carries a token that does not verify", name_of(first))
        );
        if (own != siblings.end()) {
            ++arrivals_[(*own)->dispatch.id];
        }
    }

    void look_at_dispatch(const ports::DispatchHistory& one) {
        const auto& dispatch = one.dispatch;
        const auto name = name_of(dispatch);
        const auto arrivals = arrivals_[dispatch.id];
        const auto nameless = nameless_[{dispatch.key.delivery, dispatch.key.downstream}];
        expect(domain::is_at_rest(dispatch.state), fmt::format("{} never came to rest", name));
        expect(
            !has_arrived(dispatch.state) || arrivals + nameless > 0,
            fmt::format("{} is called sent and was not received", name)
        );
        expect(
            arrivals <= arrivals_allowed(one),
            fmt::format(
                "{} is {} and was received {} times with {} unknown outcomes",
                name,
                domain::name_of(dispatch.state),
                arrivals,
                unknown_attempts(one)
            )
        );
        if (dispatch.state == DispatchState::superseded ||
            dispatch.state == DispatchState::cancelled) {
            look_for_cause(dispatch, name);
        }
        expect(
            dispatch.state != DispatchState::failed && dispatch.state != DispatchState::dead,
            fmt::format("{} is {}", name, dispatch.reason)
        );
        look_for_late_starts(one, name);
        if (dispatch.key.generation > 0) {
            ++afresh_[{{kUpstream, dispatch.pr, dispatch.head}, dispatch.key.downstream}];
        }
    }

    /// Nobody asks in person here: each generation after the first is the retry of what was lost,
    /// one for each commit and downstream, and has its order to show.
    void look_at_generations() {
        for (const auto& [what, generations] : afresh_) {
            const auto& [subject, downstream] = what;
            const auto orders = world_.reruns_on(subject.head, subject.pr.value_or(PrNumber{}));
            const auto ordered = std::ranges::count_if(orders, [&](const domain::Rerun& order) {
                return order.downstream == downstream &&
                       order.state == domain::RerunState::dispatched;
            });
            expect(
                generations == 1 && ordered == 1,
                fmt::format(
                    "{} was dispatched to afresh {} times for {}, and {} times by order",
                    downstream.text(),
                    generations,
                    subject.head.text(),
                    ordered
                )
            );
        }
    }

    void look_for_cause(const domain::Dispatch& dispatch, const std::string& name) {
        if (!dispatch.pr) {
            expect(
                false, fmt::format("{} is a push and {}", name, domain::name_of(dispatch.state))
            );
            return;
        }
        const bool overtaken = std::ranges::any_of(world_.accepted(), [&](const DeliveryId& id) {
            const auto& other = world_.webhook(id);
            const auto& own = world_.webhook(dispatch.key.delivery);
            return other.pr == dispatch.pr && other.created_at >= own.created_at &&
                   (other.head != dispatch.head || other.action == "closed" ||
                    other.action == "reopened");
        });
        expect(
            overtaken,
            fmt::format("{} is {} without a cause", name, domain::name_of(dispatch.state))
        );
    }

    bool is_good_token(const sim::ReceivedDispatch& line, const domain::Dispatch& dispatch) {
        const auto body = boost::json::parse(line.body);
        const auto& token = body.at("client_payload").at("callback_token").as_string();
        const crypto::CallbackClaims claims{
            .dispatch = dispatch.id,
            .generation = dispatch.key.generation,
            .delivery = dispatch.key.delivery,
            .downstream = dispatch.key.downstream,
            .pr = dispatch.pr,
            .head = dispatch.head,
        };
        return crypto::verify(token, claims, keys_, world_.now()) == crypto::TokenVerdict::good;
    }

    void expect(bool holds, std::string otherwise) {
        if (!holds) {
            findings_.push_back(std::move(otherwise));
        }
    }

    World& world_;
    std::vector<crypto::TokenKey> keys_;
    std::map<PrNumber, std::vector<News>> news_;
    std::map<DispatchId, std::size_t> arrivals_; // by the token that each carried
    std::map<std::pair<DeliveryId, RepoName>, std::size_t> nameless_;    // whose body is gone
    std::map<std::pair<domain::Subject, RepoName>, std::size_t> afresh_; // generations
    std::vector<std::string> findings_;
};

} // namespace

std::vector<std::string> check(World& world) {
    return Inspection(world).findings();
}

} // namespace baton::test
