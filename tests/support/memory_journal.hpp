#pragma once

#include "baton/ports/journal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace baton::test {

/// Remembers what was noted, in order. A trouble that did not heal fails the running test unless
/// the test announced it: an error nobody expected is a failure even when every other expectation
/// holds. Any thread.
class MemoryJournal final : public ports::Journal {
public:
    /// From now on, troubles whose place or detail contains `words` are part of the test.
    void announce_trouble(std::string words) {
        const std::lock_guard lock(mutex_);
        announced_.push_back(std::move(words));
    }

    void note(const ports::JournalEntry& entry) override {
        const std::lock_guard lock(mutex_);
        entries_.push_back(entry);
        const auto* trouble = std::get_if<ports::Trouble>(&entry);
        if (trouble != nullptr && !trouble->healed && !is_announced(*trouble)) {
            ADD_FAILURE() << "trouble that the test did not announce, in " << trouble->where << ": "
                          << trouble->detail;
        }
    }

    std::vector<ports::JournalEntry> entries() const {
        const std::lock_guard lock(mutex_);
        return entries_;
    }

    /// Every entry of one kind, in order.
    template <class Entry> std::vector<Entry> all() const {
        const std::lock_guard lock(mutex_);
        std::vector<Entry> found;
        for (const auto& entry : entries_) {
            if (const auto* match = std::get_if<Entry>(&entry)) {
                found.push_back(*match);
            }
        }
        return found;
    }

private:
    bool is_announced(const ports::Trouble& trouble) const {
        return std::ranges::any_of(announced_, [&trouble](const std::string& words) {
            return trouble.where.find(words) != std::string::npos ||
                   trouble.detail.find(words) != std::string::npos;
        });
    }

    mutable std::mutex mutex_;
    std::vector<std::string> announced_;
    std::vector<ports::JournalEntry> entries_;
};

} // namespace baton::test
