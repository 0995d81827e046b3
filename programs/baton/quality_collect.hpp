#pragma once

#include "baton/quality/filling.hpp"
#include "baton/quality/metric.hpp"
#include "baton/wire/bundle_files.hpp"

#include <string>

namespace baton::program {

/// Everything that is known when it is time to speak or write.
struct Collected {
    quality::Snapshot snapshot;
    wire::BundleFiles files;
    quality::SnapshotEvidence evidence;
    quality::Filling filling;
    std::string out; // where the snapshot goes; empty: nowhere
};

/// How to say it: what was not written is printed as the YAML to add.
struct CollectedForm {
    bool json{false};
    bool written{false};
};

void print_collected(const Collected& collected, CollectedForm form);

} // namespace baton::program
