extension BusValue {
    /// The type as D-Bus writes it.
    var typeSignature: String {
        switch self {
        case .byte: "y"
        case .bool: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .path: "o"
        case .signature: "g"
        case .bytes: "ay"
        case .array(let element, _): "a\(element)"
        case .dictionary(let entry, _): "a{\(entry)}"
        case .structure(let members): "(\(members.map(\.typeSignature).joined()))"
        case .variant: "v"
        }
    }
}
