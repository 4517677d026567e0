#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// The kernel's own header for these is not exported, and BlueZ's is in no package that we need otherwise.
enum { PROTOCOL_L2CAP = 0, PROTOCOL_HCI = 1 };
enum { HCI_NO_DEVICE = 0xffff, HCI_CHANNEL_CONTROL = 3 };

struct l2cap_address {
    sa_family_t family;
    uint16_t psm;
    uint8_t device[6];
    uint16_t channel;
    uint8_t device_type;
};

struct hci_address {
    sa_family_t family;
    uint16_t device;
    uint16_t channel;
};

_Static_assert(sizeof(struct l2cap_address) == 14 && sizeof(struct hci_address) == 6, "the kernel's layout");

static int answer(int result) { return result < 0 ? -errno : result; }

static struct l2cap_address l2cap(const uint8_t *address, uint8_t type, uint16_t channel)
{
    struct l2cap_address where;
    memset(&where, 0, sizeof where);
    where.family = AF_BLUETOOTH;
    memcpy(where.device, address, sizeof where.device);
    // Little endian on every machine.
    uint8_t bytes[2] = { (uint8_t)channel, (uint8_t)(channel >> 8) };
    memcpy(&where.channel, bytes, sizeof bytes);
    where.device_type = type;
    return where;
}

int clinux_l2cap_socket(void)
{
    return answer(socket(AF_BLUETOOTH, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, PROTOCOL_L2CAP));
}

int clinux_l2cap_bind(int descriptor, const uint8_t *address, uint8_t type, uint16_t channel)
{
    struct l2cap_address where = l2cap(address, type, channel);
    return answer(bind(descriptor, (struct sockaddr *)&where, sizeof where));
}

int clinux_l2cap_connect(int descriptor, const uint8_t *address, uint8_t type, uint16_t channel)
{
    struct l2cap_address where = l2cap(address, type, channel);
    return answer(connect(descriptor, (struct sockaddr *)&where, sizeof where));
}

int clinux_bluetooth_control_socket(void)
{
    int descriptor = answer(socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, PROTOCOL_HCI));
    if (descriptor < 0) return descriptor;
    struct hci_address where = { .family = AF_BLUETOOTH, .device = HCI_NO_DEVICE, .channel = HCI_CHANNEL_CONTROL };
    int wrong = answer(bind(descriptor, (struct sockaddr *)&where, sizeof where));
    if (wrong == 0) return descriptor;
    close(descriptor);
    return wrong;
}

int clinux_socket_error(int descriptor)
{
    int error = 0;
    socklen_t length = sizeof error;
    if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) < 0) return -errno;
    return -error;
}
