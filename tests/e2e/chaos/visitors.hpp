#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "e2e/replicas/house.hpp"

namespace baton::test {

/// People who look: one loads pages from one replica after the other, and one per replica listens
/// to the stream there, coming back after each break with the last id that it heard.
class Visitors {
public:
    struct Told {
        std::map<int, std::size_t> answers;   // to page loads; 0: none
        std::map<int, std::size_t> listening; // answers to those who came to listen
        std::size_t events{0};
        std::vector<std::string> gaps; // rules of the stream that were broken
    };

    explicit Visitors(House& house);
    Visitors(const Visitors&) = delete;
    Visitors& operator=(const Visitors&) = delete;
    ~Visitors();

    Told stop();

    /// The last id that the one at this replica heard.
    std::int64_t heard_at(std::size_t which) const { return heard_[which]; }

private:
    void load_pages();
    void listen_at(std::size_t which);
    void listen_once(std::size_t which);
    void hear(std::size_t which, const std::string& event);

    House& house_;
    std::mutex mutex_;
    Told told_; // guarded
    std::vector<std::atomic<std::int64_t>> heard_;
    std::atomic<bool> stopping_{false};
    std::vector<std::thread> threads_;
};

} // namespace baton::test
