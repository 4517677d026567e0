/// What a bound reader is good for at this moment. Everything but `ready` and `cardPresent` is a
/// fault of the lane.
public enum ReaderState: Hashable, Sendable {
    /// pcscd cannot be reached. We try again by ourselves, at least once a second.
    case serviceDown(PCSCError)
    /// pcscd runs and has not answered for this long (6 s or more). It comes back by itself when it answers.
    case serviceSilent(milliseconds: Int64)
    /// No reader that is plugged in matches the binding.
    case absent(reason: String)
    /// The binding does not say which one: several readers match it, or several bindings match one reader.
    case ambiguous(candidates: [String])
    /// In service, nothing in the field.
    case ready
    /// In service, a card or phone in the field.
    case cardPresent
    /// pcscd sees the reader but does not let the gate use it: another program has it, or a polkit rule is
    /// missing. Tried again by ourselves, at least once a second.
    case refused(PCSCError)
    /// pcscd runs, and for 2 s or more has given this reader no connection of its own. Tried again by
    /// ourselves, at least once a second.
    case unconnected(PCSCError)
    /// One call has been with the driver for this long (10 s or more). It comes back by itself
    /// when the driver gives up.
    case stuck(milliseconds: Int64)
    /// The chip, or the program that drives it, has a fault; that step is the latest of so many to bring it back.
    case recovering(LinkFault, RecoveryRung, tries: Int)
    /// Nothing that the gate can do brings the chip back. Tried again by ourselves, at least once a second.
    case failed(LinkFault)

    /// True while phones are served.
    public var isInService: Bool {
        switch self {
        case .ready, .cardPresent: true
        case .serviceDown, .serviceSilent, .absent, .ambiguous, .refused, .unconnected, .stuck, .recovering, .failed: false
        }
    }

    /// Stable, for operators to search for.
    public var code: String {
        switch self {
        case .serviceDown: "reader-service-down"
        case .serviceSilent: "reader-service-silent"
        case .absent: "reader-absent"
        case .ambiguous: "reader-ambiguous"
        case .ready: "reader-ready"
        case .cardPresent: "reader-card-present"
        case .refused: "reader-refused"
        case .unconnected: "reader-unconnected"
        case .stuck: "reader-stuck"
        case .recovering: "reader-recovering"
        case .failed: "reader-failed"
        }
    }

    /// A sentence for the installer that names the remedy (T13).
    public var message: String {
        switch self {
        case .serviceDown(let error): error.message
        case .serviceSilent(let milliseconds):
            "pcscd runs but has not answered for \(milliseconds / 1000) s, so nothing is known of any reader. "
                + "`systemctl restart pcscd` fixes it; if it returns, look at the reader that was plugged in last."
        case .absent(let reason): reason
        case .ambiguous(let candidates):
            "The binding does not name one reader alone, it fits: \(candidates.joined(separator: "; ")). "
                + "Bind by serial or port, or add name-contains."
        case .ready: "The reader is in service."
        case .cardPresent: "The reader is in service and has a card or phone in its field."
        case .refused(let error): "The reader is plugged in, but the gate may not use it. \(error.message)"
        case .unconnected(let error):
            "pcscd runs but gives the gate no connection for this reader: it has too many clients, or the gate too many open files. "
                + "`systemctl restart pcscd` ends the others' connections. (\(error.code))"
        case .stuck(let milliseconds):
            "The reader has not answered for \(milliseconds / 1000) s. Take the phone or card away; if that does not help, replug the reader."
        case .recovering(let fault, let rung, let tries):
            "\(fault.message) To bring the reader back, \(rung.sentence); this is step \(tries). (\(fault.code))"
        case .failed(let fault): "\(fault.message) It is tried again by itself. (\(fault.code))"
        }
    }
}
