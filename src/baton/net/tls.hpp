#pragma once

#include "baton/base/result.hpp"
#include "baton/net/server.hpp"

#include <boost/asio/ssl/context.hpp>

#include <string>

namespace baton::net {

/// TLS 1.2 or newer with the given certificate chain and key; `invalid` with a sentence for people.
Result<boost::asio::ssl::context> server_tls(const TlsFiles& files);

/// TLS 1.2 or newer that trusts the system's authorities and, if given, those in `ca_file`; peers
/// are always verified. `invalid` when the file cannot be used.
Result<boost::asio::ssl::context> client_tls(const std::string& ca_file);

} // namespace baton::net
