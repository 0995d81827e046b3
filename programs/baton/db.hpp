#pragma once

#include "baton/store/tools.hpp"

#include <boost/json/object.hpp>

#include <CLI/App.hpp>

#include <string>

namespace baton::program {

/// The verbs of `baton db`, one file each.
void add_db_migrate(CLI::App& group, int& exit_code);
void add_db_backup(CLI::App& group, int& exit_code);
void add_db_restore(CLI::App& group, int& exit_code);
void add_db_verify(CLI::App& group, int& exit_code);
void add_db_move(CLI::App& group, int& exit_code);

/// What was looked at, with numbers, and every finding; one line each.
std::string to_text(const store::Verification& verified);
boost::json::object to_json(const store::Verification& verified);

} // namespace baton::program
