#include "baton/net/tls.hpp"

#include "baton/base/result.hpp"
#include "baton/net/server.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/verify_mode.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>
#include <openssl/ssl.h>

#include <string>

namespace baton::net {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

namespace {

void set_floor(ssl::context& context) {
    auto* native = context.native_handle();
    SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
    SSL_CTX_set_options(native, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
}

} // namespace

Result<ssl::context> server_tls(const TlsFiles& files) {
    ssl::context context(ssl::context::tls_server);
    set_floor(context);
    error_code ec;
    context.use_certificate_chain(boost::asio::buffer(files.certificate_pem), ec);
    if (ec) {
        return fail(
            Errc::invalid, fmt::format("the TLS certificate cannot be used: {}", ec.message())
        );
    }
    context.use_private_key(boost::asio::buffer(files.key_pem), ssl::context::pem, ec);
    if (ec || SSL_CTX_check_private_key(context.native_handle()) != 1) {
        return fail(
            Errc::invalid,
            fmt::format(
                "the TLS key cannot be used: {}",
                ec ? ec.message() : "it does not belong to the certificate"
            )
        );
    }
    return context;
}

Result<void> check_tls(const TlsFiles& files) {
    const auto context = server_tls(files);
    return context ? Result<void>{} : fail(context.error());
}

Result<ssl::context> client_tls(const std::string& ca_file) {
    ssl::context context(ssl::context::tls_client);
    set_floor(context);
    error_code ec;
    context.set_verify_mode(ssl::verify_peer, ec);
    if (!ec) {
        context.set_default_verify_paths(ec);
    }
    if (!ec && !ca_file.empty()) {
        context.load_verify_file(ca_file, ec);
    }
    if (ec) {
        return fail(
            Errc::invalid,
            fmt::format("the authorities in \"{}\" cannot be used: {}", ca_file, ec.message())
        );
    }
    return context;
}

} // namespace baton::net
