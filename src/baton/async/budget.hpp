#pragma once

#include <algorithm>
#include <chrono>

namespace baton::async {

/// The time that a piece of work may still take. Made once at its beginning and handed down by
/// value, so that ten steps together end when one had to.
class Budget {
public:
    explicit Budget(std::chrono::milliseconds wait)
        : end_(std::chrono::steady_clock::now() + wait) {}

    std::chrono::steady_clock::time_point end() const { return end_; }

    /// Never negative.
    std::chrono::milliseconds left() const {
        const auto left = end_ - std::chrono::steady_clock::now();
        return std::max(
            std::chrono::floor<std::chrono::milliseconds>(left), std::chrono::milliseconds(0)
        );
    }

    bool spent() const { return left().count() == 0; }

private:
    std::chrono::steady_clock::time_point end_;
};

} // namespace baton::async
