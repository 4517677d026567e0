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
