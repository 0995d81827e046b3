// Precompiled for tests: GoogleTest and RapidCheck on top of boost.hpp.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>
#include <iostream>
#include <stdexcept>

#include "boost.hpp"
