#pragma once

#include "baton/domain/dispatch.hpp"
#include "baton/ports/store.hpp"

#include <boost/json/object.hpp>

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace baton::program {

/// The verbs of `baton deliveries`, one file each.
void add_deliveries_list(CLI::App& group, int& exit_code);
void add_deliveries_show(CLI::App& group, int& exit_code);
void add_deliveries_redeliver(CLI::App& group, int& exit_code);
void add_deliveries_recover(CLI::App& group, int& exit_code);

/// `up/stream#12`, or the repository alone.
std::string place_of(const ports::Delivery& delivery);

boost::json::object to_json(const ports::Delivery& delivery);
boost::json::object to_json(const domain::Dispatch& dispatch);
boost::json::object to_json(const ports::DeliveryHistory& history); // complete

/// How an attempt ended, in a few words.
std::string outcome_of(const ports::Attempt& attempt);

/// The names of all states, and of those at rest, for the parser to check against.
std::vector<std::string> state_names();
std::vector<std::string> resting_state_names();

} // namespace baton::program
