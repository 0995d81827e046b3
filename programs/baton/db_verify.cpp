// baton db verify [--config FILE | --store PATH]
//
// Looks at a store or a backup from end to end and prints what was looked at, with numbers.

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/store/tools.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "command.hpp"
#include "db.hpp"
#include "print.hpp"
#include "progress_line.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

struct VerifyOptions {
    StoreChoice store;
    bool json{false};
};

std::size_t findings_in(const store::Verification& verified) {
    std::size_t count = 0;
    for (const auto& check : verified.checks) {
        count += check.findings.size();
    }
    return count;
}

int verify(const VerifyOptions& options) {
    const auto path = store_path(options.store);
    if (!path) {
        return Exit::unusable;
    }
    Result<store::Verification> verified = fail(Errc::invalid, "");
    {
        ProgressLine line;
        verified = store::verify_store(*path, [&line](const auto& now) { line.show(now); });
    }
    if (!verified) {
        complain(inert(verified.error().detail));
        return verified.error().code == Errc::unavailable ? Exit::failure : Exit::unusable;
    }
    if (options.json) {
        print_json(to_json(*verified));
    } else {
        fmt::print("{}", to_text(*verified));
    }
    return store::is_good(*verified) ? Exit::ok : Exit::failure;
}

} // namespace

std::string to_text(const store::Verification& verified) {
    std::string out;
    for (const auto& check : verified.checks) {
        const auto judged =
            check.findings.empty() ? "good" : counted(check.findings.size(), "finding");
        const auto count = check.broken_off ? "-" : std::to_string(check.count);
        out += fmt::format("{:<18}  {:>10}  {}\n", check.what, count, judged);
        for (const auto& finding : check.findings) {
            out += fmt::format("  {}\n", inert(finding));
        }
    }
    const auto findings = findings_in(verified);
    const auto judged = findings == 0 ? "good" : counted(findings, "finding");
    out += fmt::format("{}: {}\n", inert(verified.path), judged);
    if (!store::is_complete(verified)) {
        out += findings > 0 ? "What its tables hold was not looked at.\n"
                            : fmt::format(
                                  "Its schema is {}, this Baton's {}: what its tables hold was not "
                                  "looked at.\n",
                                  verified.schema,
                                  verified.schema_here
                              );
    }
    return out;
}

boost::json::object to_json(const store::Verification& verified) {
    boost::json::array checks;
    for (const auto& check : verified.checks) {
        boost::json::array findings;
        for (const auto& finding : check.findings) {
            findings.emplace_back(json_text(finding));
        }
        checks.emplace_back(boost::json::object{
            {"what", check.what},
            {"count",
             check.broken_off ? boost::json::value(nullptr) : boost::json::value(check.count)},
            {"findings", std::move(findings)}
        });
    }
    return {
        {"store", json_text(verified.path)},
        {"ok", store::is_good(verified)},
        {"complete", store::is_complete(verified)},
        {"schema", verified.schema},
        {"checks", std::move(checks)},
    };
}

void add_db_verify(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<VerifyOptions>();
    auto* command = group.add_subcommand("verify", "Look for damage in a store or a backup");
    add_store_options(*command, options->store);
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(Looks at the file's pages, at references between rows, the schema, the tallies against what they
count, the ledger's sequence, every body, what pending dispatches need, and what is kept of results.
Nothing is changed; a relay may be serving, and one moment is looked at.

Example:
  baton db verify --store /var/backups/baton.db

Exit codes: 0 good, 1 findings, 2 nothing can be verified: it cannot be opened or read, is no store,
or is a newer Baton's.)"
    );
    command->callback([options, &exit_code] { exit_code = verify(*options); });
}

} // namespace baton::program
