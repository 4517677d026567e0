import Credentials
import Cryptography
import Encoding
import Foundation
import Testing

/// One file of `Vectors/cose-wg`.
struct COSEVector: Decodable, CustomTestStringConvertible {
    let title: String
    let fail: Bool?
    let input: Input
    let intermediates: Intermediates
    let output: Output

    struct Input: Decodable {
        let sign0: Signer?
        let plaintext_hex: String?
    }

    struct Signer: Decodable {
        let key: Key
        let external: String?
    }

    struct Key: Decodable {
        let crv: String
        let x, y, x_hex, y_hex, d_hex: String?
    }

    struct Intermediates: Decodable {
        let ToBeSign_hex, AAD_hex, CEK_hex, ToMac_hex: String?
    }

    struct Output: Decodable { let cbor: String }

    var testDescription: String { title }

    static func load(_ names: String...) -> [COSEVector] { load(names) }

    static func load(_ names: [String]) -> [COSEVector] {
        names.compactMap { name in
            guard let url = Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Vectors/cose-wg"),
                  let data = try? Data(contentsOf: url),
                  let vector = try? JSONDecoder().decode(COSEVector.self, from: data) else {
                Issue.record("cannot read \(name).json")
                return nil
            }
            return vector
        }
    }

    var encoded: [UInt8] { get throws { try hex(output.cbor) } }
    var external: [UInt8] { get throws { try hex(input.sign0?.external ?? "") } }
    var toBeSigned: [UInt8] { get throws { try hex(#require(intermediates.ToBeSign_hex)) } }

    var key: PublicKey {
        get throws {
            let key = try #require(input.sign0).key
            let x = try coordinate(key.x_hex, key.x), y = try coordinate(key.y_hex, key.y)
            switch key.crv {
            case "P-256": return try PublicKey(curve: .p256, x: #require(x), y: y)
            case "Ed25519": return try PublicKey(curve: .ed25519, x: #require(x), y: nil)
            default: throw COSEError.unsupportedKey
            }
        }
    }

    private func coordinate(_ hexadecimal: String?, _ base64: String?) throws -> [UInt8]? {
        if let hexadecimal { return try hex(hexadecimal) }
        return try base64.map { try Base64.decode($0, .url) }
    }
}

func hex(_ digits: String) throws -> [UInt8] { try Hex.decode(digits.lowercased()) }
