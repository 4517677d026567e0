import Cryptography
import Encoding

/// Writes DER for tests.
enum DERWriter {
    static func element(_ tag: DERTag, _ content: [UInt8]) -> [UInt8] {
        let tagBytes = (0..<4).reversed().map { UInt8(truncatingIfNeeded: tag.rawValue >> (8 * $0)) }.drop { $0 == 0 }
        let count = content.count
        let length: [UInt8] = count < 0x80 ? [UInt8(count)] : count < 0x100 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        return tagBytes + length + content
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(.sequence, parts.flatMap { $0 }) }

    static func set(_ parts: [UInt8]...) -> [UInt8] { element(.set, parts.flatMap { $0 }) }

    /// A number from 0 up.
    static func number(_ value: Int64, _ tag: DERTag = .integer) -> [UInt8] {
        var digits = Array((0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }.drop { $0 == 0 })
        if digits.first.map({ $0 & 0x80 != 0 }) ?? true { digits.insert(0, at: 0) }
        return element(tag, digits)
    }

    static func bytes(_ value: [UInt8]) -> [UInt8] { element(.octetString, value) }

    static func boolean(_ value: Bool) -> [UInt8] { element(.boolean, [value ? 0xFF : 0x00]) }

    static let null = element(.null, [])

    static func identifier(_ content: [UInt8]) -> [UInt8] { element(.objectIdentifier, content) }

    static func bitString(_ content: [UInt8], unused: UInt8 = 0) -> [UInt8] { element(.bitString, [unused] + content) }

    /// A name with attributes of 2.5.4.
    static func name(_ attributes: [(UInt8, String)]) -> [UInt8] {
        element(.sequence, attributes.flatMap { kind, text in
            set(sequence(identifier([0x55, 0x04, kind]), element(DERTag(rawValue: 0x0C), Array(text.utf8))))
        })
    }
}
