// libnfc, and what Swift cannot import from it: a target is a packed union.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <nfc/nfc.h>

// libnfc.so.6 of Debian exports it, the installed headers do not name it. One command to the chip, its answer without the code.
int pn53x_transceive(nfc_device *device, const uint8_t *command, size_t length, uint8_t *answer, size_t capacity, int timeout);

// What is in the field: ISO/IEC 14443 type A. The lengths are as the chip reported them, within the room of the arrays.
typedef struct {
    uint8_t answer_to_request[2];
    uint8_t select_acknowledge;
    uint8_t identifier_length;
    uint8_t identifier[10];
    uint8_t answer_to_select_length; // without its length byte
    uint8_t answer_to_select[254];
} cnfc_card;

// One look for a card at 106 kbit/s: 1 with a card, 0 without, or libnfc's negative error.
static inline int cnfc_select(nfc_device *device, cnfc_card *card) {
    const nfc_modulation modulation = { .nmt = NMT_ISO14443A, .nbr = NBR_106 };
    nfc_target target;
    memset(&target, 0, sizeof target);
    int found = nfc_initiator_select_passive_target(device, modulation, NULL, 0, &target);
    if (found <= 0) return found;
    const nfc_iso14443a_info *info = &target.nti.nai;
    memset(card, 0, sizeof *card);
    memcpy(card->answer_to_request, info->abtAtqa, 2);
    card->select_acknowledge = info->btSak;
    card->identifier_length = info->szUidLen > sizeof card->identifier ? sizeof card->identifier : (uint8_t)info->szUidLen;
    memcpy(card->identifier, info->abtUid, card->identifier_length);
    card->answer_to_select_length = info->szAtsLen > sizeof card->answer_to_select ? sizeof card->answer_to_select : (uint8_t)info->szAtsLen;
    memcpy(card->answer_to_select, info->abtAts, card->answer_to_select_length);
    return 1;
}

// 1 when libnfc has understood which chip it is. It opens others too, and then has no list of what they can do: a search would
// walk through that list.
static inline int cnfc_is_known(nfc_device *device) {
    const nfc_modulation_type *known = NULL;
    return nfc_device_get_supported_modulation(device, N_INITIATOR, &known) >= 0 && known != NULL;
}

// The chip and its firmware, as libnfc names them: "PN532 v1.6". Of a known chip only. Empty where it does not say.
static inline void cnfc_firmware(nfc_device *device, char *text, size_t capacity) {
    static const char label[] = "chip: ";
    char *facts = NULL;
    if (capacity == 0) return;
    text[0] = 0;
    if (nfc_device_get_information_about(device, &facts) < 0 || facts == NULL) return;
    if (strncmp(facts, label, sizeof label - 1) == 0) {
        size_t length = strcspn(facts + sizeof label - 1, "\n");
        if (length >= capacity) length = capacity - 1;
        memcpy(text, facts + sizeof label - 1, length);
        text[length] = 0;
    }
    nfc_free(facts);
}
