#pragma once

#include "baton/ports/store.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "faults/store_deeds.hpp"

namespace baton::test {

using Deeds = std::vector<Deed>;

/// What a store must hold, going by what it said. An acknowledged deed is there. A refused one does
/// not show; but what it left on the disk may amount to it when the store is opened later, as a
/// whole, unless another deed has written over it. What a relay that starts has seen is there for
/// good: it may tell others.
class Truth {
public:
    /// Compares the answer with the one of a store without a disk; what is wrong with it, or
    /// nothing. `wrote`: it changed the disk; a look or a duplicate does not.
    std::optional<std::string> acknowledge(const Deed& deed, const std::string& answer, bool wrote);
    /// Deeds of one commit.
    void refuse(const Deeds& deeds);

    /// A relay starts on a store that was just opened, which shows what it holds: from now on it is
    /// known which refused deeds are there.
    struct Recognition {
        bool refused{false};              // the relay could not start
        std::optional<std::string> wrong; // what is wrong with the store
    };

    Recognition recognize(ports::Store& store);

    /// The relay as it was after the last acknowledged deed, in front of `store`.
    Doer relay_before(ports::Store& store) const;

    int next_big() { return bigs_++; }

    std::size_t acknowledged() const { return done_.size(); }

    std::size_t survived() const { return survived_; }

private:
    /// Each candidate may have had this deed done to it too.
    void add_with(const Deed& deed);

    Deeds done_;
    std::vector<Deeds> candidates_{Deeds{}}; // what may be there: `done_`, or more
    Expectation expected_{Deeds{}};          // after `done_`
    int bigs_{0};
    int starts_{0};
    std::size_t survived_{0}; // refused, and there all the same
};

} // namespace baton::test
