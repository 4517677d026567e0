/// A reader's hardware reset, wired to a line of ours (RSTPD_N of a PN532).
public protocol ResetLine: Sendable {
    /// Holds the reader in reset for a moment, and gives it the time to start. On the reader's own thread.
    func pull() throws(LinkFault)
}
