// libmicrohttpd, and what Swift cannot import from it: MHD_start_daemon takes any type of argument (variadic), its logger a va_list.
// Whether a phone's certificate is good is asked of GnuTLS, on which libmicrohttpd's TLS stands.
#pragma once
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <microhttpd.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

// All that a server is started with. It must live as long as the server. A NULL of the texts in PEM: none.
struct cmhd_settings {
    int listener;
    unsigned int connections, connections_of_address, idle_seconds, threads;
    size_t memory_of_connection, stack;
    const char *certificate, *key, *trust;
    MHD_AccessHandlerCallback handler;
    MHD_NotifyConnectionCallback connection;
    MHD_RequestCompletedCallback completed;
    void (*log)(void *context, const char *line);
    void *context;
};

static void cmhd_log(void *pointer, const char *format, va_list arguments) {
    const struct cmhd_settings *settings = (const struct cmhd_settings *)pointer;
    char line[512];
    vsnprintf(line, sizeof line, format, arguments);
    settings->log(settings->context, line);
}

// Paths stay as they were sent: they are compared byte by byte, and nothing hides behind a percent sign.
static size_t cmhd_leave_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

// NULL where it cannot be; why was told to the log.
static inline struct MHD_Daemon *cmhd_start(struct cmhd_settings *s) {
    struct MHD_OptionItem secure[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)s->certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)s->key},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-CIPHER-ALL:+AES-256-GCM:+AES-128-GCM:+CHACHA20-POLY1305"},
        {s->trust ? MHD_OPTION_HTTPS_MEM_TRUST : MHD_OPTION_END, 0, (void *)s->trust},
        {MHD_OPTION_END, 0, NULL}
    };
    struct MHD_OptionItem plain[] = {{MHD_OPTION_END, 0, NULL}};
    unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_USE_ERROR_LOG;
    if (s->certificate) flags |= MHD_USE_TLS;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, s->handler, s->context,
        MHD_OPTION_EXTERNAL_LOGGER, cmhd_log, (void *)s,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)s->listener,
        MHD_OPTION_THREAD_POOL_SIZE, s->threads,
        MHD_OPTION_THREAD_STACK_SIZE, s->stack,
        MHD_OPTION_CONNECTION_LIMIT, s->connections,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, s->connections_of_address,
        MHD_OPTION_CONNECTION_TIMEOUT, s->idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, s->memory_of_connection,
        MHD_OPTION_NOTIFY_CONNECTION, s->connection, s->context,
        MHD_OPTION_NOTIFY_COMPLETED, s->completed, s->context,
        MHD_OPTION_UNESCAPE_CALLBACK, cmhd_leave_escapes, NULL,
#if MHD_VERSION >= 0x00097701
        MHD_OPTION_CLIENT_DISCIPLINE_LVL, (int)1,
#else
        MHD_OPTION_STRICT_FOR_CLIENT, (int)1,
#endif
        MHD_OPTION_ARRAY, s->certificate ? secure : plain,
        MHD_OPTION_END);
}

// The socket of a connection; -1 where libmicrohttpd does not say.
static inline int cmhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// 4 or 16 bytes of whoever is at the other end; 0 where that is no address of the internet.
static inline size_t cmhd_address(struct MHD_Connection *connection, uint8_t *bytes) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *address = info ? info->client_addr : NULL;
    if (!address) return 0;
    if (address->sa_family == AF_INET) {
        memcpy(bytes, &((const struct sockaddr_in *)address)->sin_addr, 4);
        return 4;
    }
    if (address->sa_family == AF_INET6) {
        memcpy(bytes, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
        return 16;
    }
    return 0;
}

// The same of a text.
static inline size_t cmhd_read_address(const char *text, uint8_t *bytes) {
    if (inet_pton(AF_INET, text, bytes) == 1) return 4;
    return inet_pton(AF_INET6, text, bytes) == 1 ? 16 : 0;
}

// Whether whoever is at the other end has shown a certificate for clients that the server's list of authorities covers.
static inline int cmhd_has_certificate(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    unsigned int count = 0, status = 1;
    if (!info || !info->tls_session) return 0;
    gnutls_session_t session = (gnutls_session_t)info->tls_session;
    gnutls_typed_vdata_st purpose = {GNUTLS_DT_KEY_PURPOSE_OID, (unsigned char *)GNUTLS_KP_TLS_WWW_CLIENT, 0};
    if (!gnutls_certificate_get_peers(session, &count) || count == 0) return 0;
    return gnutls_certificate_verify_peers(session, &purpose, 1, &status) == 0 && status == 0;
}

// Whether a certificate in PEM and a key in PEM can be used together: 0, or an error of GnuTLS.
static inline int cmhd_check_pair(const char *certificate, const char *key) {
    gnutls_certificate_credentials_t credentials;
    int answer = gnutls_certificate_allocate_credentials(&credentials);
    if (answer < 0) return answer;
    gnutls_datum_t first = {(unsigned char *)certificate, (unsigned int)strlen(certificate)}, second = {(unsigned char *)key, (unsigned int)strlen(key)};
    answer = gnutls_certificate_set_x509_key_mem(credentials, &first, &second, GNUTLS_X509_FMT_PEM);
    gnutls_certificate_free_credentials(credentials);
    return answer < 0 ? answer : 0;
}

// The last second of the first certificate in PEM, UNIX time; -1 where there is none that can be read.
static inline int64_t cmhd_certificate_end(const char *text) {
    gnutls_x509_crt_t certificate;
    gnutls_datum_t content = {(unsigned char *)text, (unsigned int)strlen(text)};
    if (gnutls_x509_crt_init(&certificate) < 0) return -1;
    int64_t end = -1;
    if (gnutls_x509_crt_import(certificate, &content, GNUTLS_X509_FMT_PEM) >= 0) end = (int64_t)gnutls_x509_crt_get_expiration_time(certificate);
    gnutls_x509_crt_deinit(certificate);
    return end;
}

// A socket that listens at an address of the internet, written in numbers; else a negative errno. `[::]` listens for IPv4, too.
static inline int cmhd_listen(const char *host, const char *port) {
    struct addrinfo wanted = {.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV, .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found = NULL;
    if (getaddrinfo(host, port, &wanted, &found) != 0 || !found) return -EINVAL;
    int on = 1, off = 0, answer = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (answer >= 0) {
        setsockopt(answer, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (found->ai_family == AF_INET6) setsockopt(answer, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
        if (bind(answer, found->ai_addr, found->ai_addrlen) != 0 || listen(answer, 1024) != 0) {
            int number = errno;
            close(answer);
            answer = -number;
        }
    } else {
        answer = -errno;
    }
    freeaddrinfo(found);
    return answer;
}

// The port of a socket that listens; 0 where it has none.
static inline uint16_t cmhd_port(int descriptor) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &length) != 0) return 0;
    if (address.ss_family == AF_INET) return ntohs(((const struct sockaddr_in *)&address)->sin_port);
    return address.ss_family == AF_INET6 ? ntohs(((const struct sockaddr_in6 *)&address)->sin6_port) : 0;
}

// Nothing more is read from a connection or written to it: libmicrohttpd then closes it.
static inline void cmhd_end(int descriptor) { shutdown(descriptor, SHUT_RDWR); }

// Names that Swift knows alike, whatever attributes a version's own have.
static const enum MHD_Result CMHD_YES = MHD_YES, CMHD_NO = MHD_NO;
static const enum MHD_ConnectionNotificationCode CMHD_STARTED = MHD_CONNECTION_NOTIFY_STARTED;

// Each header of a request, or each query.
static inline void cmhd_each(struct MHD_Connection *connection, int queries, MHD_KeyValueIterator each, void *context) {
    MHD_get_connection_values(connection, queries ? MHD_GET_ARGUMENT_KIND : MHD_HEADER_KIND, each, context);
}

// The bytes are copied.
static inline struct MHD_Response *cmhd_response(const void *bytes, size_t count) {
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}
