#pragma once

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace baton::test {

/// A key and its certificate as PEM texts, made on the spot: no secrets and no expiry dates in the
/// repository.
struct Certificate {
    std::string certificate_pem;
    std::string key_pem;
};

/// Signs certificates for tests. Nobody trusts it who was not told to.
class Authority {
public:
    explicit Authority(const std::string& name)
        : key_(new_key())
        , certificate_(unsigned_for(name, key_.get())) {
        X509_set_issuer_name(certificate_.get(), X509_get_subject_name(certificate_.get()));
        extend(certificate_.get(), NID_basic_constraints, "critical,CA:TRUE");
        sign(certificate_.get());
    }

    std::string pem() const { return text_of(certificate_.get()); }

    /// `names` as OpenSSL writes them: "DNS:localhost,IP:127.0.0.1".
    Certificate issue(const std::string& names) const {
        const auto key = new_key();
        const auto certificate = unsigned_for("server", key.get());
        X509_set_issuer_name(certificate.get(), X509_get_subject_name(certificate_.get()));
        extend(certificate.get(), NID_subject_alt_name, names);
        sign(certificate.get());
        return {.certificate_pem = text_of(certificate.get()), .key_pem = text_of(key.get())};
    }

private:
    template <auto Free> struct Freer {
        template <class T> void operator()(T* thing) const { Free(thing); }
    };

    using Key = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY_free>>;
    using Cert = std::unique_ptr<X509, Freer<X509_free>>;
    using Text = std::unique_ptr<BIO, Freer<BIO_free>>;

    static Key new_key() { return Key(EVP_EC_gen("P-256")); }

    static Cert unsigned_for(const std::string& name, EVP_PKEY* key) {
        Cert made(X509_new());
        X509_set_version(made.get(), 2);
        ASN1_INTEGER_set(X509_get_serialNumber(made.get()), ++serial());
        ASN1_TIME_set_string_X509(X509_getm_notBefore(made.get()), "20200101000000Z");
        ASN1_TIME_set_string_X509(X509_getm_notAfter(made.get()), "21000101000000Z");
        X509_set_pubkey(made.get(), key);
        X509_NAME_add_entry_by_txt(
            X509_get_subject_name(made.get()),
            "CN",
            MBSTRING_ASC,
            reinterpret_cast<const unsigned char*>(name.c_str()),
            -1,
            -1,
            0
        );
        return made;
    }

    static void extend(X509* certificate, int what, const std::string& value) {
        std::unique_ptr<X509_EXTENSION, Freer<X509_EXTENSION_free>> extension(
            X509V3_EXT_conf_nid(nullptr, nullptr, what, value.c_str())
        );
        if (!extension || X509_add_ext(certificate, extension.get(), -1) != 1) {
            throw std::runtime_error("cannot make the certificate extension " + value);
        }
    }

    void sign(X509* certificate) const {
        if (X509_sign(certificate, key_.get(), EVP_sha256()) == 0) {
            throw std::runtime_error("cannot sign the certificate");
        }
    }

    static std::string text_of(X509* certificate) {
        const Text out(BIO_new(BIO_s_mem()));
        PEM_write_bio_X509(out.get(), certificate);
        return text_of(out.get());
    }

    static std::string text_of(EVP_PKEY* key) {
        const Text out(BIO_new(BIO_s_mem()));
        PEM_write_bio_PrivateKey(out.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
        return text_of(out.get());
    }

    static std::string text_of(BIO* bio) {
        char* start = nullptr;
        const auto size = BIO_get_mem_data(bio, &start);
        return {start, static_cast<std::size_t>(size)};
    }

    static long& serial() {
        static long last = 0;
        return last;
    }

    Key key_;
    Cert certificate_;
};

} // namespace baton::test
