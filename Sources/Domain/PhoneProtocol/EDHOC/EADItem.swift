import Encoding

/// One item of external authorization data (RFC 9528, 3.8). Whoever does not understand a critical
/// item must stop.
public struct EADItem: Hashable, Sendable {
    /// The registered label, without sign.
    public let label: Int
    public let isCritical: Bool
    /// Content of the value's byte string, nil if there is none.
    public let value: [UInt8]?

    /// Label 0 is padding and cannot be critical.
    public static let paddingLabel = 0

    /// Most items read from one field. The profile uses two.
    static let maximumCount = 8

    /// Largest label (RFC 9528, 10.5).
    static let maximumLabel: Int64 = 65535

    public init(label: Int, isCritical: Bool, value: [UInt8]?) {
        self.label = label
        self.isCritical = isCritical
        self.value = value
    }

    /// Whoever does not understand a critical item stops (RFC 9528, 3.8); others are passed over.
    /// - Parameter labels: what the receiver of this field understands.
    public static func check(_ items: [EADItem], understood labels: Set<Int>) throws(EDHOCError) {
        if let item = items.first(where: { $0.isCritical && !labels.contains($0.label) }) {
            throw .criticalItemNotUnderstood(label: item.label)
        }
    }

    /// The field EAD_x.
    static func encode(_ items: [EADItem]) -> [UInt8] {
        var field: [UInt8] = []
        for item in items {
            field.appendInteger(item.isCritical ? -item.label : item.label)
            if let value = item.value { field.appendByteString(value) }
        }
        return field
    }

    /// Reads the rest of a message as an EAD field; padding is left out.
    static func decode(_ field: [UInt8]) throws(EDHOCError) -> [EADItem] {
        guard !field.isEmpty else { return [] }
        guard let parts = try? CBOR.decodeSequence(field) else { throw .malformed("EAD") }
        var items: [EADItem] = []
        var at = 0
        while at < parts.count {
            guard let signed = parts[at].integer, signed >= -maximumLabel, signed <= maximumLabel else { throw .malformed("EAD label") }
            at += 1
            let value = at < parts.count ? parts[at].bytes : nil
            if value != nil { at += 1 }
            guard signed != 0 else { continue }
            guard items.count < maximumCount else { throw .malformed("EAD count") }
            items.append(EADItem(label: Int(abs(signed)), isCritical: signed < 0, value: value))
        }
        return items
    }
}
