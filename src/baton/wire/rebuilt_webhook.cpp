#include "baton/wire/rebuilt_webhook.hpp"

#include "baton/base/result.hpp"

#include <boost/json/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace baton::wire {

namespace json = boost::json;

Result<std::string> rebuilt_webhook(std::string_view action, std::string_view pull_request) {
    json::error_code error;
    auto pull = json::parse(pull_request, error);
    const auto* const number = error ? nullptr : pull.find_pointer("/number", error);
    const auto* const repository = error ? nullptr : pull.find_pointer("/base/repo", error);
    const auto* const author = error ? nullptr : pull.find_pointer("/user", error);
    if (number == nullptr || repository == nullptr || author == nullptr) {
        return fail(
            Errc::invalid,
            "a pull request without number, base repository or author cannot be rebuilt"
        );
    }
    json::object webhook{
        {"action", action},
        {"number", *number},
        {"repository", *repository},
        {"sender", *author},
        {"rebuilt", true},
    };
    webhook["pull_request"] = std::move(pull);
    return json::serialize(webhook);
}

} // namespace baton::wire
