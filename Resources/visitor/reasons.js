// The reasons of gates by number (docs/phone-protocol.md, OUTCOME).

const NAMES = {
  0: "granted", 1: "malformed", 2: "unknown-issuer", 3: "bad-signature", 4: "clock-untrusted", 5: "not-yet-valid",
  6: "expired", 7: "wrong-audience", 8: "scope-lacks-command", 9: "revoked", 10: "unknown-key", 11: "bad-proof",
  12: "no-trust-data", 13: "trust-data-stale", 14: "wrong-key-use", 15: "wrong-role", 16: "key-well-known",
  17: "beyond-ceiling", 64: "cooldown-success", 65: "cooldown-failure", 66: "second-factor", 67: "command-not-allowed",
  68: "lane-closed", 69: "busy", 70: "lane-fault", 71: "reader-fault", 72: "audit-unavailable", 73: "outside-schedule",
  74: "anti-passback", 75: "zone-full", 76: "use-nfc", 77: "app-in-background", 78: "phone-locked",
  79: "plain-cards-off", 128: "timeout", 129: "card-removed", 130: "wrong-carrier", 131: "wrong-lane",
  132: "protocol-version", 133: "protocol-error", 134: "no-application", 135: "outcome-unknown",
  136: "internal-error", 137: "phone-declined",
};

/** The reason's name; `unknown` for numbers of later versions. */
export const reasonName = (number) => NAMES[number] ?? "unknown";
