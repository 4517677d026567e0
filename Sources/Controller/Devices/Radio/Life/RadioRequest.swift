/// A step that is to be asked of bluetoothd for an adapter.
struct RadioRequest: Hashable, Sendable {
    let step: RadioStep
    /// The adapter's path.
    let adapter: String
    /// Counts the requests of a radio: an answer to an earlier one is not for the present.
    let number: UInt64
}
