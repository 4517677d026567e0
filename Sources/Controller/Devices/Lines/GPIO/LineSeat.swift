/// The one line of the board that a request means: what two requests must not share.
struct LineSeat: Hashable, Sendable {
    /// The kernel's name of the chip.
    let chip: String
    let offset: UInt32
}
