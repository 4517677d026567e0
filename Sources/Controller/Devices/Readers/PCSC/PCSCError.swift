/// An error code of PC/SC ("SCARD_…"). Equal when the codes are equal.
public struct PCSCError: Error, Hashable, Sendable {
    /// The number as PC/SC documents it, 0x8010xxxx.
    public let number: UInt32

    public init(number: UInt32) {
        self.number = number
    }

    /// What is to be done about it.
    public var kind: PCSCErrorKind { entry.kind }

    /// Stable, for operators to search for.
    public var code: String { entry.code }

    /// A sentence for people, with the remedy where there is one (T13), and the number.
    public var message: String { "\(entry.sentence) (PC/SC \(hexadecimal))" }

    private var entry: PCSCErrorTable.Entry {
        PCSCErrorTable.entries[number]
            ?? .init(kind: .other, code: "pcsc-\(hexadecimal)", sentence: "PC/SC reports an error that has no name here.")
    }

    private var hexadecimal: String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

extension PCSCError {
    /// The result of a call; throws unless it is SCARD_S_SUCCESS. LONG has the width of the
    /// machine, the number has 32 bits.
    static func check(_ result: Int) throws(PCSCError) {
        guard result != 0 else { return }
        throw PCSCError(number: UInt32(truncatingIfNeeded: result))
    }

    /// SCARD_E_NOT_TRANSACTED: what drivers say when the exchange with the card broke.
    static let notTransacted = PCSCError(number: 0x8010_0016)

    static func isNoReaders(_ result: Int) -> Bool { UInt32(truncatingIfNeeded: result) == 0x8010_002E }
    static func isTimeout(_ result: Int) -> Bool { UInt32(truncatingIfNeeded: result) == 0x8010_000A }
    static func isInsufficientBuffer(_ result: Int) -> Bool { UInt32(truncatingIfNeeded: result) == 0x8010_0008 }
    var isProtocolMismatch: Bool { number == 0x8010_000F }
}

/// The one place where numbers of PC/SC get their meaning. Numbers as in pcsclite.h.
enum PCSCErrorTable {
    struct Entry: Sendable {
        let kind: PCSCErrorKind
        let code: String
        let sentence: String
    }

    static let entries: [UInt32: Entry] = [
        0x8010_0001: Entry(kind: .other, code: "pcsc-internal-error", sentence: "pcscd failed a check of its own."),
        0x8010_0002: Entry(kind: .cancelled, code: "pcsc-cancelled", sentence: "The wait was cancelled."),
        0x8010_0003: Entry(
            kind: .contextLost, code: "pcsc-invalid-handle", sentence: "The connection to pcscd is no longer valid."),
        0x8010_0004: Entry(kind: .other, code: "pcsc-invalid-parameter", sentence: "pcscd did not accept a parameter."),
        0x8010_0006: Entry(kind: .other, code: "pcsc-no-memory", sentence: "pcscd has no memory left."),
        0x8010_0008: Entry(
            kind: .other, code: "pcsc-insufficient-buffer", sentence: "The answer is longer than any answer may be."),
        0x8010_0009: Entry(kind: .readerGone, code: "pcsc-unknown-reader", sentence: "The reader is not plugged in."),
        0x8010_000A: Entry(kind: .timedOut, code: "pcsc-timeout", sentence: "The time for waiting is over."),
        0x8010_000B: Entry(
            kind: .sharing, code: "pcsc-sharing-violation",
            sentence: "Another program uses the reader. Stop it (often scdaemon or a browser's card plug-in)."),
        0x8010_000C: Entry(kind: .cardGone, code: "pcsc-no-card", sentence: "The card is no longer there."),
        0x8010_000F: Entry(
            kind: .other, code: "pcsc-protocol-mismatch", sentence: "The card does not speak the T=1 protocol."),
        0x8010_0010: Entry(kind: .other, code: "pcsc-not-ready", sentence: "The reader is not ready."),
        0x8010_0011: Entry(kind: .other, code: "pcsc-invalid-value", sentence: "pcscd did not accept a value."),
        0x8010_0013: Entry(
            kind: .contextLost, code: "pcsc-communication-error", sentence: "The connection to pcscd broke."),
        0x8010_0014: Entry(kind: .other, code: "pcsc-unknown-error", sentence: "pcscd failed and does not say why."),
        0x8010_0016: Entry(
            kind: .cardGone, code: "pcsc-not-transacted", sentence: "The exchange with the card broke."),
        0x8010_0017: Entry(
            kind: .readerGone, code: "pcsc-reader-unavailable", sentence: "The reader was unplugged."),
        0x8010_001D: Entry(
            kind: .contextLost, code: "pcsc-no-service",
            sentence: "pcscd does not run. `systemctl enable --now pcscd.socket` starts it."),
        0x8010_001E: Entry(kind: .contextLost, code: "pcsc-service-stopped", sentence: "pcscd was stopped."),
        0x8010_001F: Entry(
            kind: .other, code: "pcsc-unexpected", sentence: "The reader's driver failed in a way it does not name."),
        0x8010_002E: Entry(kind: .readerGone, code: "pcsc-no-readers", sentence: "No reader is plugged in."),
        0x8010_0065: Entry(
            kind: .other, code: "pcsc-card-unsupported", sentence: "The reader cannot talk to this card."),
        0x8010_0066: Entry(kind: .cardGone, code: "pcsc-card-unresponsive", sentence: "The card does not answer."),
        0x8010_0067: Entry(kind: .cardGone, code: "pcsc-card-unpowered", sentence: "The card has no power."),
        0x8010_0068: Entry(kind: .cardGone, code: "pcsc-card-reset", sentence: "The card was reset."),
        0x8010_0069: Entry(kind: .cardGone, code: "pcsc-card-removed", sentence: "The card was taken away."),
        0x8010_006A: Entry(
            kind: .denied, code: "pcsc-access-denied",
            sentence: "pcscd does not let this user in: a polkit rule must allow org.debian.pcsc-lite.access_pcsc "
                + "and access_card, or the user be root."),
    ]
}

/// What an error from PC/SC means for us. There is one answer to each kind.
public enum PCSCErrorKind: Hashable, Sendable {
    /// The context is worth nothing any more (pcscd stopped or restarted): establish a new one.
    case contextLost
    /// The reader was unplugged: wait for it.
    case readerGone
    /// No card, or the exchange with it broke: wait for the next presentation.
    case cardGone
    /// Another program uses the reader.
    case sharing
    /// pcscd does not let us use the card.
    case denied
    /// We cancelled the call ourselves.
    case cancelled
    /// The time we gave was over.
    case timedOut
    /// Anything else.
    case other
}
