// baton report --status in_progress|completed --url URL [...]
//
// What a downstream's CI job runs to tell the relay that it began, and how it ended. It asks the CI
// for an identity token, so the job needs no secret.

#include "baton/app/files.hpp"
#include "baton/app/find_files.hpp"
#include "baton/app/run_program.hpp"
#include "baton/app/surroundings.hpp"
#include "baton/app/system_chance.hpp"
#include "baton/app/system_clock.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/report/body.hpp"
#include "baton/report/ci.hpp"
#include "baton/report/compose.hpp"
#include "baton/report/send.hpp"
#include "baton/report/token.hpp"
#include "baton/report/verdict.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <ios>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "command.hpp"
#include "print.hpp"
#include "report_options.hpp"

namespace baton::program {

namespace {

constexpr std::string_view kAudience = "pytorch-cross-repo-ci-relay";
constexpr std::size_t kTokenFileBytesMax = 65'536;

/// The command in one run: what it knows of the machine, and how it speaks to people.
class Reporting {
public:
    explicit Reporting(ReportOptions options)
        : options_(std::move(options))
        , ci_(report::job_facts(environment_).ci) {}

    int run() {
        if (options_.nightly && options_.periodic) {
            return unusable("--nightly, --periodic: say one of them");
        }
        if (options_.nightly || options_.periodic) {
            options_.order.self_report = options_.nightly ? "nightly" : "periodic";
        }
        auto made = report::compose(options_.order, machine());
        if (!made) {
            return made.error().code == Errc::not_found ? not_relayed(made.error().detail)
                                                        : unusable(made.error().detail);
        }
        for (const auto& note : made->notes) {
            tell(report::Weight::warning, note);
        }
        return options_.dry_run ? show(*made) : send(*std::move(made));
    }

private:
    report::Machine machine() const {
        return {
            .environment = environment_,
            .read_file = app::read_file,
            .find_files = app::find_files,
            .now = clock_.now(),
        };
    }

    /// An option, or the variable that stands for it.
    std::string said(const std::string& option, const char* variable) const {
        return option.empty() ? environment_(variable).value_or("") : option;
    }

    static int unusable(const std::string& sentence) {
        complain(inert(sentence));
        return Exit::unusable;
    }

    void tell(report::Weight weight, const std::string& sentence) const {
        fmt::print(stderr, "{}\n", report::line_for(ci_, weight, inert(sentence)));
    }

    static int show(const report::Report& made) {
        const auto body = report::make_shown_body(made);
        if (!body) {
            return unusable(body.error().detail);
        }
        fmt::print("{}\n", body->json);
        return Exit::ok;
    }

    Result<report::TokenPlan> plan(const std::string& audience) const {
        if (options_.token_file.empty() && options_.token_env.empty()) {
            return report::token_plan(ci_, environment_, audience);
        }
        auto text = options_.token_file.empty()
                        ? Result<std::string>(environment_(options_.token_env).value_or(""))
                        : app::read_file(options_.token_file, kTokenFileBytesMax);
        if (!text) {
            return fail(text.error());
        }
        BATON_TRY(auto token, report::checked_token(*text));
        return report::GivenToken{.token = std::move(token)};
    }

    int send(report::Report made) {
        const auto url = said(options_.url, "BATON_URL");
        if (url.empty()) {
            return unusable("--url: say where the relay is, here or in BATON_URL");
        }
        const auto to = report::callback_address(url);
        if (!to) {
            return unusable("--url: " + to.error().detail);
        }
        const auto timeout = parse_duration(options_.timeout);
        if (!timeout || timeout->count() == 0) {
            return unusable("--timeout: say how long, like 60s or 2m");
        }
        auto audience = said(options_.audience, "BATON_AUDIENCE");
        audience = audience.empty() ? std::string(kAudience) : audience;
        auto tokens = plan(audience);
        if (!tokens) {
            return finish(
                {.ending = report::Ending::no_token, .answer = {.detail = tokens.error().detail}},
                made
            );
        }
        report::TokenSource source(*std::move(tokens), audience, app::run_program);
        report::Sender sender(
            {.to = *to, .ca_file = options_.ca_file, .patience = {.timeout = *timeout}},
            source,
            clock_,
            chance_,
            [this](const std::string& why) { tell(report::Weight::plain, why); }
        );
        auto done = boost::asio::co_spawn(loop_, sender.send(made), boost::asio::use_future);
        loop_.run();
        auto outcome = done.get();
        if (!outcome) {
            return unusable(outcome.error().detail);
        }
        return finish(*outcome, made);
    }

    int finish(const report::Outcome& outcome, const report::Report& made) {
        auto verdict = report::verdict_on(outcome, made.status, options_.strict);
        for (auto i = made.notes.size(); i < outcome.notes.size(); ++i) {
            tell(report::Weight::warning, outcome.notes[i]); // those that sending added
        }
        for (const auto& note : outcome.answer.notes) {
            tell(report::Weight::warning, "the relay did not take all of it: " + note);
        }
        if (verdict.exit_code == Exit::ok && options_.strict && !made.notes.empty()) {
            verdict.exit_code = Exit::failure;
        }
        conclude(verdict, name_of(outcome.ending), outcome.answer.proceed);
        if (options_.json) {
            print_json(json_of(outcome, made, verdict));
        }
        return verdict.exit_code;
    }

    int not_relayed(const std::string& why) {
        const report::Verdict verdict{
            .exit_code = options_.strict ? Exit::failure : Exit::ok,
            .weight = report::Weight::warning,
            .sentence = why,
        };
        conclude(verdict, "not_relayed", true);
        if (options_.json) {
            print_json(boost::json::object{
                {"outcome", "not_relayed"},
                {"proceed", true},
                {"exit_code", verdict.exit_code},
                {"detail", json_text(verdict.sentence)},
            });
        }
        return verdict.exit_code;
    }

    /// Says it, and writes the outputs of a step where GitHub Actions wants them.
    void conclude(const report::Verdict& verdict, std::string_view ending, bool proceed) const {
        tell(verdict.weight, verdict.sentence);
        const auto path = environment_("GITHUB_OUTPUT").value_or("");
        if (ci_ != report::Ci::github_actions || path.empty()) {
            return;
        }
        std::ofstream file(path, std::ios::app);
        file << fmt::format("proceed={}\nstatus={}\n", proceed ? "true" : "false", ending);
        if (!file.flush()) {
            tell(report::Weight::warning, "the outputs of this step could not be written");
        }
    }

    static boost::json::object json_of(
        const report::Outcome& outcome, const report::Report& made, const report::Verdict& verdict
    ) {
        boost::json::array notes;
        for (const auto& note : outcome.notes.empty() ? made.notes : outcome.notes) {
            notes.emplace_back(json_text(note));
        }
        boost::json::object all{
            {"outcome", name_of(outcome.ending)},
            {"status", name_of(made.status)},
            {"proceed", outcome.answer.proceed},
            {"duplicate", outcome.answer.duplicate},
            {"stale", outcome.answer.stale},
            {"http_status", outcome.answer.http_status},
            {"tries", outcome.tries},
            {"exit_code", verdict.exit_code},
            {"detail", json_text(verdict.sentence)},
            {"notes", std::move(notes)},
        };
        if (made.tests) {
            all["tests"] = {
                {"passed", made.tests->passed},
                {"failed", made.tests->failed},
                {"skipped", made.tests->skipped},
                {"total", made.tests->total()},
                {"flaky", made.tests->flaky},
            };
        }
        return all;
    }

    ReportOptions options_;
    report::Environment environment_{app::real_surroundings().environment};
    report::Ci ci_;
    boost::asio::io_context loop_{1};
    app::SystemClock clock_{loop_.get_executor()};
    app::SystemChance chance_;
};

} // namespace

void add_report(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<ReportOptions>();
    auto* command = app.add_subcommand("report", "Tell the relay what became of a CI job");
    add_report_options(*command, *options);
    command->callback([options, &exit_code] { exit_code = Reporting(*options).run(); });
}

} // namespace baton::program
