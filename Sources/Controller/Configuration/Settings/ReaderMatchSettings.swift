/// `[reader.match]`: exactly one of three ways to find a PC/SC reader, never its index (T3).
public enum ReaderMatchSettings: Hashable, Sendable {
    /// The name PC/SC shows.
    case name(String)
    /// The device's serial number.
    case serial(String)
    /// Where it is plugged in: the kernel's USB path (`1-1.2`) or the PC/SC channel.
    case port(String)
}
