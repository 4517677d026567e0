#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif

_Static_assert(CLINUX_STREAM == SOCK_STREAM && CLINUX_DATAGRAM == SOCK_DGRAM, "the kernel's numbers");

static int answer(int result) { return result < 0 ? -errno : result; }

int clinux_unix_socket(int kind, int blocking)
{
    return answer(socket(AF_UNIX, kind | SOCK_CLOEXEC | (blocking ? 0 : SOCK_NONBLOCK), 0));
}

static int address(const char *path, struct sockaddr_un *where)
{
    memset(where, 0, sizeof *where);
    where->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof where->sun_path) return -ENAMETOOLONG;
    strcpy(where->sun_path, path);
    return 0;
}

int clinux_unix_bind(int descriptor, const char *path)
{
    struct sockaddr_un where;
    int wrong = address(path, &where);
    return wrong ? wrong : answer(bind(descriptor, (struct sockaddr *)&where, sizeof where));
}

int clinux_notify_connect(int descriptor, const char *path)
{
    struct sockaddr_un where;
    int wrong = address(path, &where);
    if (wrong) return wrong;
    if (path[0] != '@') return answer(connect(descriptor, (struct sockaddr *)&where, sizeof where));
    // An abstract name: its length counts, and its first byte is 0.
    where.sun_path[0] = 0;
    return answer(connect(descriptor, (struct sockaddr *)&where, offsetof(struct sockaddr_un, sun_path) + strlen(path)));
}

int clinux_unix_connect(int descriptor, const char *path)
{
    struct sockaddr_un where;
    int wrong = address(path, &where);
    return wrong ? wrong : answer(connect(descriptor, (struct sockaddr *)&where, sizeof where));
}

int clinux_accept(int descriptor)
{
    return answer(accept4(descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

int clinux_peer_of(int descriptor, clinux_peer *peer)
{
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return -errno;
    peer->process = credentials.pid;
    peer->user = credentials.uid;
    peer->group = credentials.gid;
    return 0;
}

int clinux_peer_groups(int descriptor, uint32_t *groups, int capacity)
{
    socklen_t length = (socklen_t)capacity * sizeof *groups;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, groups, &length) < 0) return -errno;
    return (int)(length / sizeof *groups);
}

static ssize_t send_with(int descriptor, const void *bytes, size_t length, int flags)
{
    ssize_t count;
    do count = send(descriptor, bytes, length, MSG_NOSIGNAL | flags); while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}

static ssize_t receive_with(int descriptor, void *bytes, size_t length, int flags)
{
    ssize_t count;
    do count = recv(descriptor, bytes, length, flags); while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}

ssize_t clinux_send(int descriptor, const void *bytes, size_t length) { return send_with(descriptor, bytes, length, 0); }

ssize_t clinux_receive(int descriptor, void *bytes, size_t length) { return receive_with(descriptor, bytes, length, 0); }

ssize_t clinux_try_send(int descriptor, const void *bytes, size_t length)
{
    return send_with(descriptor, bytes, length, MSG_DONTWAIT);
}

ssize_t clinux_try_receive(int descriptor, void *bytes, size_t length)
{
    return receive_with(descriptor, bytes, length, MSG_DONTWAIT);
}

int clinux_is_unix_stream(int descriptor)
{
    int domain = 0, type = 0;
    socklen_t length = sizeof domain;
    if (getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &length) != 0) return 0;
    length = sizeof type;
    if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) != 0) return 0;
    return domain == AF_UNIX && type == SOCK_STREAM;
}

ssize_t clinux_send_with_file(int descriptor, const void *bytes, size_t length, int file)
{
    union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr header; } control = {0};
    struct iovec piece = { .iov_base = (void *)bytes, .iov_len = length };
    struct msghdr message = { .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control.bytes,
                              .msg_controllen = sizeof control.bytes };
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &file, sizeof file);
    ssize_t count;
    do count = sendmsg(descriptor, &message, MSG_NOSIGNAL); while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}

ssize_t clinux_receive_with_file(int descriptor, void *bytes, size_t length, int *file)
{
    // Room for one to the byte, not with what CMSG_SPACE fills up: the kernel closes whatever a peer sends beyond it.
    union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr header; } control;
    struct iovec piece = { .iov_base = bytes, .iov_len = length };
    struct msghdr message = { .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control.bytes,
                              .msg_controllen = CMSG_LEN(sizeof(int)) };
    *file = -1;
    ssize_t count;
    do count = recvmsg(descriptor, &message, MSG_CMSG_CLOEXEC); while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS
        && header->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(file, CMSG_DATA(header), sizeof *file);
    return count;
}

int clinux_file_lock(int descriptor)
{
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return CLINUX_LOCK_TAKEN;
    return errno == EWOULDBLOCK ? CLINUX_LOCK_HELD_BY_OTHER : -errno;
}

int clinux_has_access_list(const char *path)
{
    return getxattr(path, "system.posix_acl_access", NULL, 0) > 0;
}

int64_t clinux_group_id(const char *name)
{
    char buffer[4096];
    struct group group, *found = NULL;
    int wrong = getgrnam_r(name, &group, buffer, sizeof buffer, &found);
    if (wrong) return -wrong;
    return found ? (int64_t)found->gr_gid : -ENOENT;
}

int64_t clinux_user_id(const char *name, uint32_t *group)
{
    char buffer[16384];
    struct passwd user, *found = NULL;
    int wrong = getpwnam_r(name, &user, buffer, sizeof buffer, &found);
    if (!found)
        return wrong ? -wrong : -ENOENT;
    *group = found->pw_gid;
    return found->pw_uid;
}
