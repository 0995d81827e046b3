#include "baton/app/demo.hpp"

#include "baton/app/demo_account.hpp"
#include "baton/app/demo_screen.hpp"
#include "baton/app/demo_stage.hpp"
#include "baton/app/demo_stop.hpp"
#include "baton/app/demo_view.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/place.hpp"
#include "baton/store/tools.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib> // mkdtemp
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace baton::app::demo {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

namespace {

constexpr auto kStep = 100ms;   // people and trouble
constexpr auto kRedraw = 500ms; // on a terminal
constexpr auto kSummary = 2s;   // elsewhere
constexpr auto kDrainAtMost = 3s;
constexpr auto kPostAtMost = 10s; // checks: GitHub is there, so all of them get through

/// A folder in the place for such things, gone with this.
class Folder {
public:
    static Result<Folder> make() {
        std::error_code error;
        const auto parent = std::filesystem::temp_directory_path(error);
        auto pattern = (parent / "baton-demo-XXXXXX").string();
        if (error || ::mkdtemp(pattern.data()) == nullptr) {
            return fail(
                Errc::unavailable,
                fmt::format(
                    "no temporary folder can be made in {}: {}; TMPDIR may name another place",
                    parent.string(),
                    error ? error.message() : std::strerror(errno)
                )
            );
        }
        return Folder(std::move(pattern));
    }

    Folder(Folder&& other) noexcept
        : path_(std::exchange(other.path_, {})) {}

    Folder& operator=(Folder&&) = delete;

    ~Folder() {
        if (!path_.empty()) {
            remove(path_);
        }
    }

    static void remove(const std::string& path) {
        // Once more if the relay wrote a file meanwhile: after a second Ctrl-C it still runs.
        constexpr int kTries = 5;
        std::error_code trouble{};
        for (int i = 0; i < kTries && (i == 0 || trouble); ++i) {
            std::filesystem::remove_all(path, trouble);
        }
    }

    const std::string& path() const { return path_; }

    void keep() { path_.clear(); }

private:
    explicit Folder(std::string path)
        : path_(std::move(path)) {}

    std::string path_;
};

/// Shows the stage now and then, on a terminal or line by line.
class Show {
public:
    Show(Stage& stage, Screen& screen, StopSign& stop)
        : stage_(stage)
        , screen_(screen)
        , stop_(stop) {}

    void refresh(std::string what_goes_on = {}) {
        const auto now = Steady::now();
        if (now < next_) {
            return;
        }
        next_ =
            now + (screen_.is_terminal() ? Steady::duration(kRedraw) : Steady::duration(kSummary));
        auto snapshot = stage_.snapshot();
        snapshot.stage = std::move(what_goes_on);
        if (screen_.is_terminal()) {
            const auto size = screen_.size();
            screen_.draw(view(snapshot, size), size);
        } else if (!screen_.print(summary(snapshot) + "\n")) {
            stop_.raise(); // nobody reads any more
        }
    }

private:
    Stage& stage_;
    Screen& screen_;
    StopSign& stop_;
    Steady::time_point next_{Steady::now() + kRedraw};
};

void play(Stage& stage, Show& show, StopSign& stop, std::optional<std::chrono::seconds> lasts) {
    const auto started = Steady::now();
    auto next = started;
    while (!stop.wait_until(next) && (!lasts || Steady::now() < started + *lasts)) {
        stage.play();
        show.refresh();
        next += kStep;
    }
}

/// What is on its way arrives; what only a dead downstream could take stays.
void drain(Stage& stage, Show& show, StopSign& stop) {
    stage.end_play();
    const auto latest = Steady::now() + kDrainAtMost;
    for (auto next = Steady::now(); next < latest && stage.is_busy(); next += kStep) {
        show.refresh("stopping: the relay drains");
        stop.rest_until(next);
    }
    const auto posted_by = Steady::now() + kPostAtMost;
    for (auto next = Steady::now(); next < posted_by && stage.is_posting(); next += kStep) {
        show.refresh("stopping: the last checks are posted");
        stop.rest_until(next);
    }
}

Ending conclude(Stage& stage, Screen& screen, const Options& options, Millis lasted) {
    const auto account = stage.account();
    if (!account) {
        std::cerr << fmt::format("baton: the store cannot be read: {}\n", account.error().detail);
        return Ending::something_wrong;
    }
    static_cast<void>(screen.print(to_text(*account, {.lasted = lasted, .seed = options.seed})));
    return account->wrong.empty() ? Ending::nothing_lost : Ending::something_wrong;
}

/// A file in the folder, or the database that was named.
std::string store_of(const Folder& folder, const Options& options) {
    return options.store.empty() ? folder.path() + "/baton.db" : options.store;
}

/// The account at the end counts everything in it, and none of that may be somebody else's.
Result<void> ensure_empty(const std::string& database) {
    if (!store::is_database(database)) {
        return fail(Errc::invalid, "--store takes an empty database: postgresql://…");
    }
    BATON_TRY(const auto steps, store::pending_steps(database));
    if (steps.from > 0) {
        return fail(
            Errc::conflict,
            fmt::format(
                "the demo plays in an empty database, and {} holds a store: create another one",
                store::shown(database)
            )
        );
    }
    return {};
}

Result<std::unique_ptr<Stage>> open_stage(const Folder& folder, const Options& options) {
    if (!options.store.empty()) {
        if (auto empty = ensure_empty(options.store); !empty) {
            return fail(std::move(empty).error());
        }
    }
    return Stage::open(
        {.folder = folder.path(),
         .store = store_of(folder, options),
         .seed = options.seed,
         .port = options.port}
    );
}

Ending run_in(Folder& folder, const Options& options, Screen& screen, StopSign& stop) {
    auto stage = open_stage(folder, options);
    if (!stage) {
        std::cerr << fmt::format("baton: {}\n", stage.error().detail);
        return Ending::not_started;
    }
    const auto started = Steady::now();
    const auto where = fmt::format(
        "{}\nThe HUD is at that address; seed {}, store {}, log {}/relay.log\n"
        "Days are seconds here: the ladder judges once a second, and only silence lowers.\n",
        (*stage)->address(),
        options.seed,
        store::shown(store_of(folder, options)),
        folder.path()
    );
    if (!screen.print(where)) {
        stop.raise();
    }
    Show show(**stage, screen, stop);
    play(**stage, show, stop, options.lasts);
    const auto lasted = std::chrono::duration_cast<Millis>(Steady::now() - started);
    drain(**stage, show, stop);
    screen.leave();
    (*stage)->stop();
    return conclude(**stage, screen, options, lasted);
}

} // namespace

Ending run(const Options& options, Screen& screen, StopSign& stop) {
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN)
    ); // a reader that leaves is no reason to leave the folder behind
    auto folder = Folder::make();
    if (!folder) {
        std::cerr << fmt::format("baton: {}\n", folder.error().detail);
        return Ending::not_started;
    }
    stop.at_once([&screen, path = folder->path(), keep = options.keep] {
        screen.leave();
        if (!keep) {
            Folder::remove(path);
        }
    });
    const auto ending = run_in(*folder, options, screen, stop);
    if (options.keep) {
        const auto store = store::shown(store_of(*folder, options));
        const auto kept = fmt::format("kept: {} and {}/relay.log\n", store, folder->path());
        static_cast<void>(screen.print(kept));
        folder->keep();
    }
    stop.at_once({});
    return ending;
}

} // namespace baton::app::demo
