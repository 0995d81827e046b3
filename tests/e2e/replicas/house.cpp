#include "e2e/replicas/house.hpp"

#include "baton/base/ids.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include "e2e/stage.hpp"
#include "support/process.hpp"

namespace baton::test {

using namespace std::chrono_literals;

House::House(Stage& stage, std::size_t number)
    : stage_(stage) {
    for (std::size_t i = 0; i < number; ++i) {
        replicas_.push_back(std::make_unique<Replica>());
        EXPECT_TRUE(start(i)) << log(i);
    }
}

bool House::start(std::size_t which) {
    auto& replica = *replicas_[which];
    replica.process = std::make_unique<Process>(Process::Plan{
        .command = {baton_binary(), "serve", "--config", stage_.config_file()},
        .environment = {},
        .stderr_file = stage_.folder().file(fmt::format("stderr{}", which)),
    });
    const auto address = replica.process->read_line(30s);
    if (!address) {
        return false;
    }
    replica.port = static_cast<std::uint16_t>(std::stoi(address->substr(address->rfind(':') + 1)));
    return true;
}

void House::pull_the_plug(std::size_t which) {
    process(which).send_signal(SIGKILL);
    EXPECT_TRUE(process(which).wait(10s).has_value());
}

std::string House::log(std::size_t which) const {
    return slurp(stage_.folder().file(fmt::format("stderr{}", which)));
}

SpreadLoad::SpreadLoad(Stage& stage, House& house)
    : stage_(stage)
    , house_(house)
    , thread_([this] { run_until_stopped(); }) {}

SpreadLoad::~SpreadLoad() {
    stop();
}

std::set<DeliveryId> SpreadLoad::stop() {
    stopping_ = true;
    if (thread_.joinable()) {
        thread_.join();
    }
    return accepted_;
}

void SpreadLoad::run_until_stopped() {
    for (std::size_t turn = 0; !stopping_;) {
        const auto webhook = turn % 2 == 0 ? stage_.opened_pull() : stage_.pushed();
        while (!stopping_) {
            const int status = Stage::post(webhook, house_.port(++turn % house_.size()));
            if (status == 202 || status == 200) {
                accepted_.insert(webhook.id);
                break;
            }
            std::this_thread::sleep_for(5ms); // nobody is there; the next one, in a moment
        }
    }
}

} // namespace baton::test
