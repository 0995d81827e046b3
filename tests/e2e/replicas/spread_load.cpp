#include "e2e/replicas/spread_load.hpp"

#include "baton/base/ids.hpp"

#include <chrono>
#include <cstddef>
#include <mutex>

#include "e2e/replicas/house.hpp"
#include "e2e/stage.hpp"

namespace baton::test {

using namespace std::chrono_literals;

SpreadLoad::SpreadLoad(Stage& stage, House& house, std::size_t senders)
    : stage_(stage)
    , house_(house) {
    for (std::size_t i = 0; i < senders; ++i) {
        threads_.emplace_back([this, i] { run_until_stopped(i); });
    }
}

SpreadLoad::~SpreadLoad() {
    stop();
}

SpreadLoad::Told SpreadLoad::stop() {
    stopping_ = true;
    for (auto& thread : threads_) {
        if (thread.joinable()) {
            thread.join();
        }
    }
    return told();
}

SpreadLoad::Told SpreadLoad::told() {
    const std::lock_guard lock(mutex_);
    return told_;
}

bool SpreadLoad::is_taken(const DeliveryId& id, int status) {
    const std::lock_guard lock(mutex_);
    ++told_.answers[status];
    if (status != 202 && status != 200) {
        return false;
    }
    told_.accepted.insert(id);
    return true;
}

void SpreadLoad::run_until_stopped(std::size_t turn) {
    while (!stopping_) {
        const auto webhook = turn % 2 == 0 ? stage_.opened_pull() : stage_.pushed();
        while (!stopping_) {
            const int status = Stage::post(webhook, house_.port(++turn % house_.size()));
            if (is_taken(webhook.id, status)) {
                break;
            }
            let_pass(5ms); // nobody is there; the next one, in a moment
        }
    }
}

} // namespace baton::test
