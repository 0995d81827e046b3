#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace baton::net {

/// How many bytes of unverified bodies all threads may hold together. Lock-free; lives as long as
/// its last share.
class ByteBudget {
public:
    explicit ByteBudget(std::size_t max)
        : max_(max) {}

    bool take(std::size_t bytes) {
        if (used_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= max_) {
            return true;
        }
        give_back(bytes);
        return false;
    }

    void give_back(std::size_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

    std::size_t used() const { return used_.load(std::memory_order_relaxed); }

private:
    std::size_t max_;
    std::atomic<std::size_t> used_{0};
};

/// The part one body has taken. It grows with what was really received, never with what was
/// announced: a liar with a huge Content-Length takes nothing from the others.
class BudgetShare {
public:
    explicit BudgetShare(std::shared_ptr<ByteBudget> budget)
        : budget_(std::move(budget)) {}

    BudgetShare(const BudgetShare&) = delete;
    BudgetShare& operator=(const BudgetShare&) = delete;

    ~BudgetShare() { budget_->give_back(held_); }

    bool grow(std::size_t bytes) {
        if (!budget_->take(bytes)) {
            return false;
        }
        held_ += bytes;
        return true;
    }

private:
    std::shared_ptr<ByteBudget> budget_;
    std::size_t held_{0};
};

} // namespace baton::net
