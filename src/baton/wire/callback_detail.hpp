#pragma once

#include "baton/base/result.hpp"
#include "baton/domain/report.hpp"

#include <simdjson.h>

#include <string_view>

namespace baton::wire {

/// The parts of a callback's `workflow` that are kept and shown but decide nothing.
Result<domain::ReportDetail> read_report_detail(simdjson::dom::object workflow);

/// Says once in the detail what was cut or dropped, and where it stood.
void note(domain::ReportDetail& detail, std::string_view pointer, std::string_view what);

} // namespace baton::wire
