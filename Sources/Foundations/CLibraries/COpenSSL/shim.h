// What the rooms use of libcrypto (OpenSSL 3.0 and later). Only provided ("EVP") interfaces; no
// function that 3.0 marks as deprecated.
#pragma once
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>

/// Parameters of a P-256 key pair, to be freed with OSSL_PARAM_free. In C because the builder keeps
/// pointers to names and values until the end, and strings that Swift passes live for one call only.
static inline OSSL_PARAM *tapstile_p256_parameters(const unsigned char *point, size_t length,
                                                   const BIGNUM *private_value) {
    OSSL_PARAM *parameters = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    if (builder != NULL
        && OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0)
        && OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, length)
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, private_value))
        parameters = OSSL_PARAM_BLD_to_param(builder);
    OSSL_PARAM_BLD_free(builder);
    return parameters;
}

/// A key pair from such parameters. EVP_PKEY_KEYPAIR is a macro that Swift does not import.
static inline int tapstile_key_pair_from_parameters(EVP_PKEY_CTX *context, EVP_PKEY **key,
                                                    OSSL_PARAM *parameters) {
    return EVP_PKEY_fromdata_init(context) == 1
        && EVP_PKEY_fromdata(context, key, EVP_PKEY_KEYPAIR, parameters) == 1;
}

/// Tells an HMAC context to use SHA-256. In C for the same reason.
static inline int tapstile_hmac_use_sha256(EVP_MAC_CTX *context) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_CTX_set_params(context, parameters);
}

/// A public key of RSA from modulus and exponent, both big-endian; NULL if libcrypto has no memory or takes
/// them for none. In C for the reason of `tapstile_p256_parameters`.
static inline EVP_PKEY *tapstile_rsa_public_key(const unsigned char *modulus, size_t modulus_length,
                                                const unsigned char *exponent, size_t exponent_length) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM *parameters = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    BIGNUM *n = BN_bin2bn(modulus, (int)modulus_length, NULL);
    BIGNUM *e = BN_bin2bn(exponent, (int)exponent_length, NULL);
    if (builder != NULL && context != NULL && n != NULL && e != NULL
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n)
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e)
        && (parameters = OSSL_PARAM_BLD_to_param(builder)) != NULL
        && EVP_PKEY_fromdata_init(context) == 1
        && EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1)
        key = NULL;
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    EVP_PKEY_CTX_free(context);
    BN_free(n);
    BN_free(e);
    return key;
}

/// 1 if a signature is good: RSASSA-PSS with SHA-256 and MGF1 with SHA-256, the salt of any length. In C
/// because the lengths that stand for "any" are macros that Swift does not import.
static inline int tapstile_rsa_pss_verify(EVP_PKEY *key, const unsigned char *signature, size_t signature_length,
                                          const unsigned char *message, size_t message_length) {
    EVP_PKEY_CTX *parameters = NULL;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int result = context != NULL
        && EVP_DigestVerifyInit_ex(context, &parameters, "SHA256", NULL, NULL, key, NULL) == 1
        && EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_AUTO) == 1
        && EVP_DigestVerify(context, signature, signature_length, message, message_length) == 1;
    EVP_MD_CTX_free(context);
    return result;
}
