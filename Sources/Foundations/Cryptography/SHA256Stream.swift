/// SHA-256 over bytes that arrive piece by piece. A copy continues on its own.
public struct SHA256Stream: Sendable {
    private var state: DigestState

    /// A hash of nothing so far.
    public init() { state = DigestState(Algorithms.shared.sha256, length: SHA256.length) }

    /// Adds bytes at the end.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Adds a region of memory at the end.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&state) { state = DigestState(copying: state) }
        state.update(bytes)
    }

    /// The hash of all bytes so far, 32 bytes; the stream itself can go on.
    public func finish() -> [UInt8] {
        DigestState(copying: state).finish()
    }
}
