#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/filling.hpp"
#include "baton/quality/metric.hpp"
#include "baton/wire/assessment_patch.hpp"
#include "baton/wire/bundle_files.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <fmt/core.h>
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "print.hpp"
#include "quality_collect.hpp"

namespace baton::program {

namespace {

namespace json = boost::json;

void print_snapshot(const Collected& collected) {
    Table table({"METRIC", "MEASURED", "N", "VERDICT", "WHY"});
    for (const auto& metric : collected.snapshot.metrics) {
        table.add(
            {metric.name,
             fmt::format("{} of {}", metric.num, metric.den),
             fmt::format("{}", metric.n),
             std::string(name_of(metric.verdict)),
             inert(metric.reason)}
        );
    }
    fmt::print("{}", table.text());
}

void print_text(const Collected& collected, bool written) {
    const auto& filling = collected.filling;
    fmt::print(
        "# {} for {}, as of {}; {}\n",
        collected.snapshot.repo,
        collected.snapshot.upstream,
        quality::to_text(collected.snapshot.as_of),
        collected.files.contains(wire::kSignatureFile) ? "signed"
                                                       : "not signed: --key PRIVATE.pem signs it"
    );
    if (written) {
        print_snapshot(collected);
        for (const auto& claim : filling.claims) {
            fmt::print("{}: {}, was unknown\n", claim.item, name_of(claim.kind));
        }
    } else {
        fmt::print(
            "{}",
            wire::yaml_of(
                {.snapshot = collected.snapshot, .evidence = collected.evidence, .filling = filling}
            )
        );
    }
    for (const auto& sentence : filling.differs) {
        fmt::print("# differs: {}\n", sentence);
    }
    for (const auto& item : filling.agrees) {
        fmt::print("# {}: as measured\n", item);
    }
    for (const auto& sentence : filling.silent) {
        fmt::print("# {}\n", inert(sentence));
    }
    if (!collected.out.empty()) {
        fmt::print("# snapshot: {}\n", inert(collected.out));
    }
}

json::array texts(const std::vector<std::string>& all) {
    json::array out;
    for (const auto& one : all) {
        out.emplace_back(json_text(one));
    }
    return out;
}

void print_as_json(const Collected& collected, bool written) {
    json::array items;
    for (const auto& claim : collected.filling.claims) {
        items.emplace_back(
            json::object{{"item", json_text(claim.item)}, {"claim", name_of(claim.kind)}}
        );
    }
    json::array metrics;
    for (const auto& metric : collected.snapshot.metrics) {
        metrics.emplace_back(json::object{
            {"metric", metric.name},
            {"num", metric.num},
            {"den", metric.den},
            {"n", metric.n},
            {"verdict", name_of(metric.verdict)},
            {"reason", json_text(metric.reason)},
        });
    }
    print_json(json::object{
        {"repo", json_text(collected.snapshot.repo)},
        {"as_of", quality::to_text(collected.snapshot.as_of)},
        {"evidence", json_text(collected.evidence.id)},
        {"digest", collected.evidence.digest},
        {"snapshot", json_text(collected.out)},
        {"signed", collected.files.contains(wire::kSignatureFile)},
        {"written", written},
        {"metrics", std::move(metrics)},
        {"filled", std::move(items)},
        {"agrees", texts(collected.filling.agrees)},
        {"differs", texts(collected.filling.differs)},
        {"silent", texts(collected.filling.silent)},
    });
}

} // namespace

void print_collected(const Collected& collected, CollectedForm form) {
    form.json ? print_as_json(collected, form.written) : print_text(collected, form.written);
}

} // namespace baton::program
