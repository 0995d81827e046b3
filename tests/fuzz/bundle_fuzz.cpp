// Files of a bundle that somebody sent: digests.txt, then a snapshot behind an empty line. Nothing
// of it is believed before it was compared.

#include "baton/base/result.hpp"
#include "baton/wire/bundle_files.hpp"
#include "baton/wire/metrics_json.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace baton;
    using fuzz::promise;
    const std::string text(fuzz::text_of(data, size));
    const auto parted = text.find("\n\n");
    const auto digests = text.substr(0, parted == std::string::npos ? text.size() : parted + 1);
    const auto snapshot = parted == std::string::npos ? std::string() : text.substr(parted + 2);

    if (const auto summary = wire::read_metrics(snapshot); !summary) {
        promise(summary.error().code == Errc::invalid, "the snapshot is at fault");
        promise(fuzz::is_inert(summary.error().detail), "what people are told is inert");
    }
    wire::BundleFiles files{{wire::kMetricsFile, snapshot}, {wire::kDigestsFile, digests}};
    const auto differences = wire::check_digests(files);
    promise(
        differences.has_value() == wire::listed_in(digests).has_value(),
        "digests that can be read can be compared"
    );
    if (!differences) {
        promise(fuzz::is_inert(differences.error().detail), "what people are told is inert");
        return 0;
    }
    for (const auto& difference : *differences) {
        promise(fuzz::is_inert(difference), "what differs is told inertly");
    }
    files.erase(wire::kDigestsFile);
    wire::add_digests(files);
    const auto own = wire::check_digests(files);
    promise(own.has_value() && own->empty(), "its own digests are those of the files");
    promise(
        !differences->empty() || files.at(wire::kDigestsFile) == digests,
        "nothing differs only where the digests are these"
    );
    return 0;
}
