/// One of our readers and the device that it is bound to (T3).
public struct ReaderBinding: Hashable, Sendable {
    /// Our name.
    public let name: ReaderName
    public let match: ReaderMatch
    /// Narrows the match to PC/SC readers whose name contains this. A device with two slots (the
    /// ACR1252 has a contactless one and one for a SAM) shows two readers with one serial number
    /// and one port: "PICC" picks the first.
    public let nameContains: String?
    /// So long may one call be with the driver before that is a fault of the reader (O5). Milliseconds.
    public let stuckAfterMilliseconds: Int64

    public init(name: ReaderName, match: ReaderMatch, nameContains: String? = nil, stuckAfterMilliseconds: Int64 = 10_000) {
        self.name = name
        self.match = match
        self.nameContains = nameContains
        self.stuckAfterMilliseconds = stuckAfterMilliseconds
    }
}

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

/// Our own name of a reader, as the configuration gives it ("entry", "exit"). Never the name that
/// PC/SC made up: that one carries an index.
public typealias ReaderName = String

/// Which attached reader a binding got.
enum ReaderAssignment: Equatable {
    case bound(pcscName: String)
    case absent(reason: String)
    case ambiguous(candidates: [String])

    /// Every binding against everything that is attached. A reader that two bindings name is
    /// given to neither of them (T3).
    static func all(_ bindings: [ReaderBinding], attached: [AttachedReader]) -> [ReaderAssignment] {
        let alone = bindings.map { binding in attached.filter { $0.fits(binding) }.map(\.pcscName) }
        return zip(bindings, alone).map { binding, fitting in
            guard let first = fitting.first else { return .absent(reason: reason(binding, attached)) }
            guard fitting.count == 1 else { return .ambiguous(candidates: fitting) }
            let rivals = zip(bindings, alone).filter { $0.1 == fitting }.map(\.0.name)
            guard rivals.count == 1 else {
                return .ambiguous(candidates: ["\(first), also bound as \(rivals.filter { $0 != binding.name }.joined(separator: ", "))"])
            }
            return .bound(pcscName: first)
        }
    }

    private static func reason(_ binding: ReaderBinding, _ attached: [AttachedReader]) -> String {
        var wanted = "\(binding.match)"
        if let part = binding.nameContains { wanted += " and \"\(part)\" in its name" }
        guard !attached.isEmpty else {
            return "No reader is plugged in; wanted is one with \(wanted). Plug it in (`lsusb` shows whether the machine sees it)."
        }
        let there = attached.map { reader in
            [reader.pcscName, reader.serial.map { "serial \($0)" }, reader.port.map { "port \($0)" }]
                .compactMap(\.self).joined(separator: ", ")
        }
        return "No reader with \(wanted) is plugged in. Plugged in: \(there.joined(separator: "; "))."
    }
}
