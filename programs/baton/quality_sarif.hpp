#pragma once

#include "baton/quality/findings.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace baton::program {

struct SarifFile {
    std::string path;
    std::vector<quality::Finding> findings;
};

/// SARIF 2.1.0, one run: what code scanning takes.
boost::json::object to_sarif(const std::vector<SarifFile>& files);

} // namespace baton::program
