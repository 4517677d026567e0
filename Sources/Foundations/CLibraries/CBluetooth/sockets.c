#define _GNU_SOURCE
#include "CBluetooth.h"
#include <endian.h>
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

// The kernel's numbers and layouts (include/net/bluetooth/hci_sock.h), which are no part of Debian's kernel headers.
#ifndef AF_BLUETOOTH
#define AF_BLUETOOTH 31
#endif
enum { PROTOCOL_HCI = 1, LEVEL_HCI = 0, OPTION_FILTER = 2, CHANNEL_RAW = 0, CHANNEL_CONTROL = 3, NO_DEVICE = 0xffff };
enum { PACKET_EVENT = 0x04, EVENT_COMMAND_COMPLETE = 0x0e, LINK_LOW_ENERGY = 0x80 };
#define GET_CONNECTION_INFORMATION _IOR('H', 213, int)

struct hci_address { uint16_t family, device, channel; };
struct hci_filter { uint32_t types, events[2]; uint16_t opcode; };
struct connection {
    uint16_t handle;
    uint8_t address[6], type, outgoing;
    uint16_t state;
    uint32_t mode;
};
struct connection_request { uint8_t address[6], type; struct connection found[1]; };

_Static_assert(sizeof(struct connection) == 16, "the kernel's layout");

static int answer(int result) { return result < 0 ? -errno : result; }

static int bound(uint16_t device, uint16_t channel)
{
    int hci = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, PROTOCOL_HCI);
    if (hci < 0) return -errno;
    struct hci_address where = { .family = AF_BLUETOOTH, .device = device, .channel = channel };
    if (bind(hci, (struct sockaddr *)&where, sizeof where) == 0) return hci;
    int wrong = -errno;
    close(hci);
    return wrong;
}

int cbluetooth_hci_open(uint16_t device, uint16_t opcode)
{
    int hci = bound(device, CHANNEL_RAW);
    if (hci < 0) return hci;
    struct hci_filter filter = { .types = 1u << PACKET_EVENT, .events = { 1u << EVENT_COMMAND_COMPLETE, 0 },
                                 .opcode = htole16(opcode) };
    if (setsockopt(hci, LEVEL_HCI, OPTION_FILTER, &filter, sizeof filter) == 0) return hci;
    int wrong = -errno;
    close(hci);
    return wrong;
}

int cbluetooth_hci_handle(int hci, const uint8_t address[6])
{
    struct connection_request request;
    memset(&request, 0, sizeof request);
    for (int i = 0; i < 6; i++) request.address[i] = address[5 - i];
    request.type = LINK_LOW_ENERGY;
    int result = answer(ioctl(hci, GET_CONNECTION_INFORMATION, &request));
    return result < 0 ? result : request.found[0].handle;
}

int cbluetooth_management_open(void)
{
    return bound(NO_DEVICE, CHANNEL_CONTROL);
}
