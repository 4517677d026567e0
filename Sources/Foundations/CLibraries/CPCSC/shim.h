// PC/SC (pcsc-lite) and what Swift cannot import from it: SCARD_PCI_T1 is a macro around the
// address of a variable, the attribute numbers are macros that compute, INFINITE is a clash.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <winscard.h>
#include <reader.h>

// SCardTransmit with the protocol header that belongs to the protocol of the connection.
static inline uint32_t cpcsc_transmit(SCARDHANDLE card, uint32_t protocol, const uint8_t *command, size_t length,
                                      uint8_t *response, size_t *response_length) {
    const SCARD_IO_REQUEST *header = protocol == SCARD_PROTOCOL_T0 ? SCARD_PCI_T0 : SCARD_PCI_T1;
    DWORD received = *response_length;
    LONG result = SCardTransmit(card, header, command, length, NULL, response, &received);
    *response_length = received;
    return (uint32_t)result;
}

static const uint32_t CPCSC_ATTRIBUTE_SERIAL = SCARD_ATTR_VENDOR_IFD_SERIAL_NO;
static const uint32_t CPCSC_ATTRIBUTE_CHANNEL = SCARD_ATTR_CHANNEL_ID;
static const uint32_t CPCSC_ATTRIBUTE_PRESENCE = SCARD_ATTR_ICC_PRESENCE;
static const uint32_t CPCSC_ATTRIBUTE_ATR = SCARD_ATTR_ATR_STRING;
// TAG_IFD_ATR of ifdhandler.h, which pcscd hands on as it is.
static const uint32_t CPCSC_TAG_ATR = 0x0303;

// The most readers that one SCardGetStatusChange of pcsc-lite can watch.
static const int32_t CPCSC_MOST_READERS = PCSCLITE_MAX_READERS_CONTEXTS;
// Room for any answer, short or extended.
static const int32_t CPCSC_LONGEST_ANSWER = MAX_BUFFER_SIZE_EXTENDED;
