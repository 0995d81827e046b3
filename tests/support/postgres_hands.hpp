#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "support/postgres_place.hpp"
#include "support/process.hpp"

namespace baton::test {

/// What may be done to the server that support/postgres_server.py started for this test.
class PostgresHands {
public:
    PostgresHands() = default;
    PostgresHands(const PostgresHands&) = delete;
    PostgresHands& operator=(const PostgresHands&) = delete;

    /// Whoever comes after finds it as it was.
    ~PostgresHands() {
        empty_disk();
        if (!runs_) {
            start();
        }
    }

    /// Every session is ended, then the server.
    void stop_fast() { stop("fast"); }

    /// As a crash: what only its memory knew is found again in its log.
    void stop_at_once() { stop("immediate"); }

    void start() {
        act({"start"});
        runs_ = true;
    }

    /// No table can grow from now on.
    static void fill_disk() { std::ofstream(mark()).put('x'); }

    static void empty_disk() { std::filesystem::remove(mark()); }

private:
    static std::string mark() {
        return std::filesystem::path(PostgresPlace::socket()).replace_filename("full").string();
    }

    void stop(const std::string& mode) {
        act({"stop", mode});
        runs_ = false;
    }

    static void act(const std::vector<std::string>& words) {
        auto command = PostgresPlace::hands();
        ASSERT_FALSE(command.empty()) << "run this with tests/support/postgres_server.py";
        command.insert(command.end(), words.begin(), words.end());
        const auto done = run_command(std::move(command));
        EXPECT_EQ(done.exit_code, 0) << done.err;
    }

    bool runs_{true};
};

} // namespace baton::test
