#include "posting_text.hpp"

#include "baton/domain/check.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/checks.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "print.hpp"

namespace baton::program {

namespace json = boost::json;

namespace {

std::string_view state_of(const ports::KeptPosting& posting) {
    const auto& check = posting.check;
    return check.conclusion ? name_of(*check.conclusion) : name_of(check.status);
}

std::string on_github(const ports::KeptPosting& posting) {
    if (!posting.trouble.empty()) {
        return posting.trouble;
    }
    const auto calls = counted(posting.calls, "call");
    return posting.in_step ? fmt::format("there, after {}", calls)
                           : fmt::format("on its way, {} so far", calls);
}

} // namespace

std::string text_of(const std::vector<ports::KeptPosting>& postings) {
    if (postings.empty()) {
        return "";
    }
    Table table({"CHECK", "STATE", "TITLE", "ON GITHUB"});
    for (const auto& posting : postings) {
        table.add(
            {posting.check.name,
             std::string(state_of(posting)),
             posting.check.title,
             on_github(posting)}
        );
    }
    return table.text();
}

json::array to_json(const std::vector<ports::KeptPosting>& postings) {
    json::array all;
    for (const auto& posting : postings) {
        all.emplace_back(json::object{
            {"name", json_text(posting.check.name)},
            {"state", state_of(posting)},
            {"title", json_text(posting.check.title)},
            {"check_run_id",
             posting.github_id ? json::value(*posting.github_id) : json::value(nullptr)},
            {"in_step", posting.in_step},
            {"calls", posting.calls},
            {"trouble", json_text(posting.trouble)},
        });
    }
    return all;
}

} // namespace baton::program
