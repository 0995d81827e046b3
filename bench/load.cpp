// bench_load --port N --bodies FOLDER (--event NAME --secret TEXT | --token FILE) [...]
//
// Puts webhooks, or callbacks with an identity token, on a server and prints what came of it as one
// JSON object. ./dev bench uses it; it is also of use by hand against any server that takes
// GitHub's webhooks.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/core.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "load_client.hpp"

namespace {

using namespace baton::bench;

std::string slurp(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

double ms(std::chrono::nanoseconds wait) {
    return std::chrono::duration<double, std::milli>(wait).count();
}

void print(const LoadReport& report) {
    const auto seconds = std::chrono::duration<double>(report.took).count();
    fmt::print(
        R"({{"answered":{},"broken":{},"seconds":{:.3f},"per_second":{:.1f},"statuses":{{)",
        report.answered(),
        report.broken,
        seconds,
        seconds > 0 ? static_cast<double>(report.answered()) / seconds : 0.0
    );
    const char* comma = "";
    for (const auto& [status, count] : report.statuses) {
        fmt::print(R"({}"{}":{})", comma, status, count);
        comma = ",";
    }
    fmt::print(
        R"(}},"p50_ms":{:.3f},"p99_ms":{:.3f},"p999_ms":{:.3f},"max_ms":{:.3f}}})"
        "\n",
        ms(report.within(0.5)),
        ms(report.within(0.99)),
        ms(report.within(0.999)),
        ms(report.within(1.0))
    );
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Put webhooks on a server and measure its answers");
    LoadPlan plan;
    std::string bodies;
    std::string event = "pull_request";
    std::string secret;
    std::string token;
    double seconds = 0;
    app.add_option("--port", plan.port, "On 127.0.0.1")->required();
    app.add_option("--bodies", bodies, "A folder: each file is a body, in turn")->required();
    app.add_option("--event", event, "X-GitHub-Event; default pull_request");
    auto* signs = app.add_option("--secret", secret, "Signs them as webhooks");
    app.add_option("--token", token, "A file: they are callbacks, with this token")
        ->excludes(signs);
    app.add_option("--connections", plan.connections, "Keep-alive, one request at a time each");
    app.add_option("--requests", plan.requests, "Stop after so many");
    app.add_option("--seconds", seconds, "Stop after this time");
    app.add_option("--rate", plan.rate, "So many a second, on time; default: as fast as answered");
    app.add_option("--delivery", plan.delivery_prefix, "Ids are this and a number");
    app.add_flag("--one-delivery", plan.one_delivery, "... or this alone: copies of one delivery");
    CLI11_PARSE(app, argc, argv);
    plan.duration = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
    try {
        std::set<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(bodies)) {
            files.insert(entry.path());
        }
        for (const auto& file : files) {
            plan.bodies.push_back(
                token.empty() ? signed_body(plan.port, event, secret, slurp(file))
                              : callback_body(plan.port, slurp(token), slurp(file))
            );
        }
        if (plan.bodies.empty() || (plan.requests == 0 && seconds <= 0)) {
            fmt::print(stderr, "bench_load: needs bodies, and --requests or --seconds\n");
            return 2;
        }
        print(run_load(plan));
    } catch (const std::exception& error) {
        fmt::print(stderr, "bench_load: {}\n", error.what());
        return 1;
    }
    return 0;
}
