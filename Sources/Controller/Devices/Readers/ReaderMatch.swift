/// How one of our readers is found among those that are plugged in (T3). Never by index: which
/// reader is first depends on the order in which the machine found them.
public enum ReaderMatch: Hashable, Sendable {
    /// The name PC/SC shows, either whole ("ACS ACR122U PICC Interface 00 00") or without the two
    /// index numbers at its end.
    case name(String)
    /// The serial number: the driver's attribute, or what stands in brackets in the PC/SC name.
    case serial(String)
    /// Where it is plugged in: a USB path as the kernel names it ("1-1.2"), or the PC/SC channel
    /// as eight hexadecimal digits ("00010002") for a reader that is not on USB.
    case port(String)
}

extension ReaderMatch: CustomStringConvertible {
    public var description: String {
        switch self {
        case .name(let name): "name \"\(name)\""
        case .serial(let serial): "serial number \(serial)"
        case .port(let port): "port \(port)"
        }
    }
}
