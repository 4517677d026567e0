/// What keeps an adapter from sending (rfkill).
public enum RadioBlock: Hashable, Sendable {
    /// Somebody asked the kernel for it.
    case soft
    /// A switch or the firmware of the machine.
    case hard
}
