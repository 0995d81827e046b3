#include "e2e/replicas/house.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "e2e/stage.hpp"
#include "faults/set_clock.hpp"
#include "faults/shared_page.hpp"
#include "support/fault_proxy.hpp"
#include "support/postgres_place.hpp"
#include "support/process.hpp"

namespace baton::test {

using namespace std::chrono_literals;

namespace {

std::string with(std::string text, const std::string& found, const std::string& instead) {
    const auto at = text.find(found);
    EXPECT_NE(at, std::string::npos) << found;
    return at == std::string::npos ? text : text.replace(at, found.size(), instead);
}

} // namespace

House::Replica::Replica(Stage& stage, std::size_t which)
    : to_database({.socket = PostgresPlace::is_there() ? PostgresPlace::socket() : std::string()})
    , to_github({.socket = {}, .port = stage.github().port()})
    , clock_file(stage.folder().file(fmt::format("clock{}", which)))
    , clock(map_page<ClockPage>(clock_file)) {}

House::House(Stage& stage, std::size_t number)
    : stage_(stage) {
    for (std::size_t i = 0; i < number; ++i) {
        replicas_.push_back(std::make_unique<Replica>(stage, i));
        stage_.folder().write(fmt::format("baton{}.yml", i), config_of(i));
        EXPECT_TRUE(start(i)) << log(i);
    }
}

/// The stage's own, with this replica's wires in it.
std::string House::config_of(std::size_t which) const {
    const auto& replica = *replicas_[which];
    auto text = slurp(stage_.config_file());
    if (stage_.database() != nullptr) {
        const auto url = stage_.database()->url_at(replica.to_database.port());
        text = with(std::move(text), stage_.store_place(), url);
    }
    return with(
        std::move(text),
        stage_.github().url(),
        fmt::format("http://127.0.0.1:{}", replica.to_github.port())
    );
}

std::vector<std::string> House::environment_of(std::size_t which) const {
    auto preloaded = beside_baton("libset_clock.so");
    std::vector<std::string> all{
        fmt::format("{}={}", kSetClockVariable, replicas_[which]->clock_file)
    };
    if (stage_.database() == nullptr) {
        preloaded += ":" + beside_baton("libfull_disk.so");
        all.push_back("BATON_FULL_DISK=" + stage_.folder().file("full"));
        all.emplace_back("BATON_FULL_DISK_OF=/baton.db");
    }
    all.push_back("LD_PRELOAD=" + preloaded);
    return all;
}

bool House::start(std::size_t which) {
    auto& replica = *replicas_[which];
    replica.process = std::make_unique<Process>(Process::Plan{
        .command =
            {baton_binary(),
             "serve",
             "--config",
             stage_.folder().file(fmt::format("baton{}.yml", which))},
        .environment = environment_of(which),
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

void House::set_clock(std::size_t which, std::chrono::seconds ahead) {
    replicas_[which]->clock->ahead_s = ahead.count();
}

void House::set_disk(bool full) {
    if (full) {
        stage_.folder().write("full", "");
    } else {
        std::filesystem::remove(stage_.folder().file("full"));
    }
}

void House::set_database(FaultProxy::Way way) {
    for (const auto& replica : replicas_) {
        replica->to_database.set(way);
    }
}

void House::set_github(FaultProxy::Way way) {
    for (const auto& replica : replicas_) {
        replica->to_github.set(way);
    }
}

std::string House::log(std::size_t which) const {
    return slurp(stage_.folder().file(fmt::format("stderr{}", which)));
}

std::string House::logs() const {
    std::string all;
    for (std::size_t i = 0; i < size(); ++i) {
        all += log(i);
    }
    return all;
}

} // namespace baton::test
