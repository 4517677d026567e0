import Credentials
import Encoding

/// The changes that anybody can make to a token without its issuer.
enum Malleation: CaseIterable {
    case keyIdentifierAdded, otherS, both

    func apply(to token: Token) throws -> [UInt8] {
        guard var parts = try CBOR.decode(token.raw).array, parts.count == 4, var signature = parts[3].bytes else { return token.raw }
        if self != .otherS { parts[1] = [4: .bytes([0x6B, 0x69, 0x64])] }
        if self != .keyIdentifierAdded {
            signature.replaceSubrange(32..., with: Self.complement(Array(signature.suffix(32))))
            parts[3] = .bytes(signature)
        }
        return CBOR.array(parts).encoded
    }

    /// n − s for the order n of P-256 (SEC 2, 2.4.2).
    private static func complement(_ s: [UInt8]) -> [UInt8] {
        let order: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
            0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51
        ]
        var borrow = 0
        var result = order
        for index in order.indices.reversed() {
            let difference = Int(order[index]) - Int(s[index]) - borrow
            borrow = difference < 0 ? 1 : 0
            result[index] = UInt8(truncatingIfNeeded: difference)
        }
        return result
    }
}
