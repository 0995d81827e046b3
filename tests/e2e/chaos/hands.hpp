#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "e2e/chaos/schedule.hpp"
#include "e2e/replicas/house.hpp"
#include "e2e/stage.hpp"
#include "support/postgres_hands.hpp"

namespace baton::test {

/// Does what schedules say, each in a thread of its own, and puts everything right again.
class Hands {
public:
    Hands(Stage& stage, House& house);
    Hands(const Hands&) = delete;
    Hands& operator=(const Hands&) = delete;
    ~Hands();

    /// All of it is over and healed when this returns.
    void play(const std::vector<std::vector<Step>>& schedules);

    /// How often each was done.
    const std::map<Trouble, std::size_t>& done() const { return done_; }

    std::size_t lives() const { return lives_; }

private:
    void play_one(const std::vector<Step>& steps);
    void begin(const Step& step);
    void end(const Step& step);
    bool end_wire(const Step& step);
    void set_fault(Trouble trouble);
    void revive(std::size_t which);
    void fill_disk(bool full);

    Stage& stage_;
    House& house_;
    std::unique_ptr<PostgresHands> database_; // none: the store is a file
    std::mutex mutex_;
    std::map<Trouble, std::size_t> done_; // guarded
    std::atomic<std::size_t> lives_;
};

} // namespace baton::test
