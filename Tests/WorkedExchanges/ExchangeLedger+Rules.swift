import Cryptography
import Encoding

extension WorkedChapter {
    /// EDHOC_KDF (RFC 9528, 4.1.2): notes `info` and the value, and gives the value back.
    mutating func derive(
        _ name: String, _ prkName: String, _ prk: [UInt8], label: Int, _ contextName: String, _ context: [UInt8], length: Int
    ) -> [UInt8] {
        let info = ExchangeLedger.info(label: label, context: context, length: length)
        _ = note("info_\(name)", "(\(label), bstr \(contextName), \(length))", info)
        return note(name, "HKDF-Expand(\(prkName), info_\(name), \(length))", HKDF.expand(prk, info: info, length: length))
    }
}

extension ExchangeLedger {
    static func info(label: Int, context: [UInt8], length: Int) -> [UInt8] {
        CBOR.encodeSequence([CBOR(label), .bytes(context), CBOR(length)])
    }

    static func kdf(_ prk: [UInt8], label: Int, context: [UInt8], length: Int) -> [UInt8] {
        HKDF.expand(prk, info: info(label: label, context: context, length: length), length: length)
    }

    /// A BER-TLV data object of at most 127 bytes.
    static func object(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, UInt8(content.count)] + content }

    /// RFC 9528, 3.3.2: a `kid` of one byte that encodes an integer from -24 to 23 travels as that integer.
    static func compact(_ identifier: [UInt8]) -> [UInt8] {
        guard identifier.count == 1 else { return CBOR.bytes(identifier).encoded }
        let isInteger = identifier[0] <= 0x17 || (0x20...0x37).contains(identifier[0])
        return isInteger ? identifier : CBOR.bytes(identifier).encoded
    }

    /// RFC 9052, 4.4, as RFC 9528, 5.3.2 and 5.4.2 fill it.
    static func signatureStructure(
        _ identifier: [UInt8], _ transcript: [UInt8], _ credential: [UInt8], _ ead: [UInt8], _ mac: [UInt8]
    ) -> [UInt8] {
        let external = CBOR.bytes(transcript).encoded + credential + ead
        return CBOR.array([.text("Signature1"), .bytes(identifier), .bytes(external), .bytes(mac)]).encoded
    }

    /// The content of the recorded message_2.
    func sentMessage2() throws -> [UInt8] {
        guard exchange.air.count > 1 else { throw Recording.Incomplete() }
        guard let content = try CBOR.decode(Array(exchange.air[1].command.dropFirst(5).dropLast())).bytes else {
            throw Recording.Incomplete()
        }
        return content
    }

    /// The content of the recorded message_3, its parts put together.
    func sentCiphertext3() throws -> [UInt8] {
        let parts = exchange.air.dropFirst().dropLast().flatMap { $0.response.dropLast(2) }
        guard let content = try CBOR.decode(Array(parts)).bytes else { throw Recording.Incomplete() }
        return content
    }
}
