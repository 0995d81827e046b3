#include "baton/github/json_read.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <string_view>

namespace baton::github {

boost::json::value parsed(std::string_view body) {
    boost::system::error_code error;
    auto root = boost::json::parse(body, error);
    return error ? boost::json::value{} : root;
}

const boost::json::value* member(const boost::json::value& root, std::string_view name) {
    const auto* const object = root.if_object();
    return object == nullptr ? nullptr : object->if_contains(name);
}

} // namespace baton::github
