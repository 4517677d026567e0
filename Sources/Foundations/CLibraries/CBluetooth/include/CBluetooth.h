// The kernel's Bluetooth sockets, which neither the C library nor Swift's Glibc module knows. Convention as in CLinux: a
// non-negative result, or the negative errno.
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A raw HCI socket of the adapter hci<device>, not blocking and closed on exec, which hears the answers to one command and
// nothing else. The kernel lets anybody ask for the signal strength; other commands need CAP_NET_RAW.
int cbluetooth_hci_open(uint16_t device, uint16_t opcode);
// The handle of the Low Energy connection with that address, its first printed octet first; -ENOENT when there is none.
int cbluetooth_hci_handle(int hci, const uint8_t address[6]);
// A socket of the kernel's management interface. What it may be asked for needs CAP_NET_ADMIN.
int cbluetooth_management_open(void);

#ifdef __cplusplus
}
#endif
