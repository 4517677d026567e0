// libcurl, and what Swift cannot import from it: curl_easy_setopt and its like take any type of argument (variadic). Each function here
// takes one; which option takes which type stands in libcurl's own pages.
#pragma once
#define CURL_DISABLE_TYPECHECK
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <curl/curl.h>

// Once in a process, before its second thread.
static inline CURLcode ccurl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

// The text is copied. NULL takes the value away.
static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_number(CURL *handle, CURLoption option, int64_t value) {
    return curl_easy_setopt(handle, option, (long)value);
}

// The list must live as long as the handle uses it.
static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(handle, option, list);
}

// CURL_ERROR_SIZE bytes that live as long as the handle.
static inline CURLcode ccurl_set_error_text(CURL *handle, char *text) { return curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, text); }

// Whoever is told of the bytes of answers, and of the lines of their headers. An answer other than the number of bytes ends the transfer.
static inline CURLcode ccurl_set_readers(CURL *handle, curl_write_callback body, curl_write_callback header, void *context) {
    CURLcode result = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
    if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
    if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, header);
    if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    return result;
}

// Whoever is asked before each connection where it may lead; answers with no socket where it may not.
static inline CURLcode ccurl_set_opener(CURL *handle, curl_opensocket_callback opener, void *context) {
    CURLcode result = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, opener);
    return result == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context) : result;
}

// The socket that libcurl itself would make.
static inline curl_socket_t ccurl_open(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static inline const struct sockaddr *ccurl_address(const struct curl_sockaddr *address) { return &address->addr; }

static const curl_socket_t CCURL_NO_SOCKET = CURL_SOCKET_BAD;

// A long of the transfer's facts (CURLINFO_RESPONSE_CODE and others); 0 where libcurl does not say.
static inline int64_t ccurl_number(CURL *handle, CURLINFO fact) {
    long value = 0;
    return curl_easy_getinfo(handle, fact, &value) == CURLE_OK ? value : 0;
}

// A large number of them (those whose names end in _T); -1 where libcurl does not say.
static inline int64_t ccurl_large(CURL *handle, CURLINFO fact) {
    curl_off_t value = -1;
    return curl_easy_getinfo(handle, fact, &value) == CURLE_OK ? value : -1;
}

// A text of them, libcurl's own until the next transfer; NULL where there is none.
static inline const char *ccurl_text(CURL *handle, CURLINFO fact) {
    char *value = NULL;
    return curl_easy_getinfo(handle, fact, &value) == CURLE_OK ? value : NULL;
}

static inline CURLMcode ccurl_set_multi_number(CURLM *multi, CURLMoption option, int64_t value) {
    return curl_multi_setopt(multi, option, (long)value);
}

// 1 and the result when a transfer has ended that nobody was told of yet.
static inline int ccurl_next_end(CURLM *multi, CURLcode *result) {
    int left = 0;
    for (const CURLMsg *message = curl_multi_info_read(multi, &left); message != NULL; message = curl_multi_info_read(multi, &left)) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return 1;
    }
    return 0;
}

// What a reader answers that cannot take more now.
static const size_t CCURL_PAUSE = CURL_WRITEFUNC_PAUSE;
static const int32_t CCURL_CONTINUE = CURLPAUSE_CONT;
static const int64_t CCURL_HTTP_1_1 = CURL_HTTP_VERSION_1_1;
static const int64_t CCURL_TLS_1_2 = CURL_SSLVERSION_TLSv1_2;
enum { CCURL_READABLE = CURL_WAIT_POLLIN, CCURL_WRITABLE = CURL_WAIT_POLLOUT };
