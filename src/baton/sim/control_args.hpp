#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::sim {

/// The arguments of one control call. What is missing has its default; what has the wrong type
/// fails with `invalid` and the name.
class ControlArgs {
public:
    explicit ControlArgs(boost::json::object fields)
        : fields_(std::move(fields)) {}

    Result<std::string> text(std::string_view name, std::string otherwise = {}) const;
    Result<std::int64_t> number(std::string_view name, std::int64_t otherwise = 0) const;
    Result<double> ratio(std::string_view name, double otherwise) const;
    Result<bool> flag(std::string_view name, bool otherwise) const;
    Result<std::vector<std::string>> texts(std::string_view name) const;
    Result<RepoName> repo(std::string_view name = "repo") const; // required

    bool has(std::string_view name) const { return fields_.contains(name); }

    const boost::json::value* find(std::string_view name) const {
        return fields_.if_contains(name);
    }

private:
    boost::json::object fields_;
};

} // namespace baton::sim
