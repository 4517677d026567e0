import Encoding

/// How the phone was started, as its boot loader told the hardware (RootOfTrust of Android's key attestation).
struct RootOfTrust {
    /// Whether the boot loader takes nobody's software but the maker's.
    let isLocked: Bool
    let state: BootState

    /// Reads what is inside the sequence: boot key, locked, state, and from version 3 on a hash; nil if it is malformed.
    init?(_ content: DERReader) {
        var file = content
        guard file.read(.octetString) != nil, let isLocked = file.readBoolean(), let number = file.readNumber(.enumerated),
              let state = BootState(rawValue: number), file.isAtEnd || file.read(.octetString) != nil, file.isAtEnd else { return nil }
        self.isLocked = isLocked
        self.state = state
    }
}
