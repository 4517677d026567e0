import Cryptography
import Encoding

/// One signed structure: COSE_Sign1 (RFC 9052, 4.2).
public struct COSESign1: Hashable, Sendable {
    /// The protected header as it was signed.
    public let protectedBytes: [UInt8]
    /// The protected header.
    public let protected: CBORMap
    /// The unprotected header, which nobody signed.
    public let unprotected: CBORMap
    /// The payload, never detached.
    public let payload: [UInt8]
    /// The signature, of whatever length it came with.
    public let signature: [UInt8]

    /// The tag that marks such a structure (RFC 9052, 2).
    public static let tag: UInt64 = 18

    /// Reads the untagged structure and, where `allowsTag` says so, one under tag 18.
    public init(parsing bytes: [UInt8], rules: CBORRules = .deterministic,
                allowsTag: Bool = false) throws(COSEError) {
        let item: CBOR
        do throws(CBORError) { item = try CBOR.decode(bytes, rules: rules) } catch { throw .notCBOR(error) }
        try self.init(cbor: item, rules: rules, allowsTag: allowsTag)
    }

    /// Reads the structure from an item that was decoded already.
    public init(cbor: CBOR, rules: CBORRules = .deterministic, allowsTag: Bool = false) throws(COSEError) {
        let parts = try Self.parts(of: cbor, allowsTag: allowsTag)
        guard parts.count == 4, let header = parts[0].bytes, let unprotected = parts[1].map,
              let signature = parts[3].bytes else { throw .notSign1 }
        guard !parts[2].isNull else { throw .detachedPayload }
        guard let payload = parts[2].bytes else { throw .notSign1 }
        protected = try Self.header(header, rules: rules)
        // A sender may write an empty map as one; what is signed is the empty string (RFC 9052, 3).
        protectedBytes = protected.isEmpty ? [] : header
        self.unprotected = unprotected
        self.payload = payload
        self.signature = signature
        try Self.check(protected: protected, unprotected: unprotected)
    }

    /// Signs a payload. The algorithm of the key is added to the protected header.
    public static func sign(payload: [UInt8], protected: CBORMap = CBORMap(), unprotected: CBORMap = CBORMap(),
                            externalAAD: [UInt8] = [], key: SigningKey) throws(COSEError) -> COSESign1 {
        var header = protected
        header[COSEHeader.algorithm] = CBOR(key.algorithm.rawValue)
        let headerBytes = CBOR.map(header).encoded
        let toBeSigned = sigStructure(protectedBytes: headerBytes, externalAAD: externalAAD, payload: payload)
        do throws(CryptographyError) {
            return try COSESign1(protectedBytes: headerBytes, protected: header, unprotected: unprotected,
                                 payload: payload, signature: key.sign(toBeSigned))
        } catch {
            throw .signingFailed
        }
    }

    /// The untagged encoding.
    public var encoded: [UInt8] {
        CBOR.array([.bytes(protectedBytes), .map(unprotected), .bytes(payload), .bytes(signature)]).encoded
    }

    /// The algorithm that the structure names, protected before unprotected; nil when it names none
    /// or one that is not known here.
    public var algorithm: SignatureAlgorithm? {
        let label = protected[COSEHeader.algorithm] ?? unprotected[COSEHeader.algorithm]
        return label?.integer.flatMap { Int(exactly: $0) }.flatMap(SignatureAlgorithm.init)
    }

    /// What is signed: the Sig_structure (RFC 9052, 4.4).
    public func toBeSigned(externalAAD: [UInt8] = []) -> [UInt8] {
        Self.sigStructure(protectedBytes: protectedBytes, externalAAD: externalAAD, payload: payload)
    }

    /// Whether the signature is that of `key`, with the algorithm that the structure names.
    public func verify(with key: PublicKey, externalAAD: [UInt8] = []) -> Bool {
        guard let algorithm, algorithm == key.curve.signatureAlgorithm else { return false }
        return key.verify(signature, over: toBeSigned(externalAAD: externalAAD))
    }

    private init(protectedBytes: [UInt8], protected: CBORMap, unprotected: CBORMap,
                 payload: [UInt8], signature: [UInt8]) {
        self.protectedBytes = protectedBytes
        self.protected = protected
        self.unprotected = unprotected
        self.payload = payload
        self.signature = signature
    }
}

extension COSESign1 {
    private static func parts(of item: CBOR, allowsTag: Bool) throws(COSEError) -> [CBOR] {
        switch item {
        case .array(let parts):
            return parts
        case .tagged(let tag, .array(let parts)):
            guard allowsTag, tag == Self.tag else { throw .wrongTag(tag) }
            return parts
        case .tagged(let tag, _):
            throw .wrongTag(tag)
        case .unsigned, .negative, .bytes, .text, .map, .simple, .float:
            throw .notSign1
        }
    }

    private static func header(_ bytes: [UInt8], rules: CBORRules) throws(COSEError) -> CBORMap {
        guard !bytes.isEmpty else { return CBORMap() }
        let item: CBOR
        do throws(CBORError) { item = try CBOR.decode(bytes, rules: rules) } catch { throw .notCBOR(error) }
        guard let map = item.map else { throw .notSign1 }
        return map
    }

    private static func check(protected: CBORMap, unprotected: CBORMap) throws(COSEError) {
        guard protected[COSEHeader.critical] == nil, unprotected[COSEHeader.critical] == nil else {
            throw .criticalHeader
        }
        for entry in unprotected where protected[entry.key] != nil { throw .duplicateHeader }
    }

    /// The array of RFC 9052, 4.4, for a structure with one signature.
    static func sigStructure(protectedBytes: [UInt8], externalAAD: [UInt8], payload: [UInt8]) -> [UInt8] {
        // The text and the heads take 21 bytes at most.
        var writer = CBORWriter(reserving: protectedBytes.count + externalAAD.count + payload.count + 21)
        writer.appendArrayHead(count: 4)
        writer.append(.text("Signature1"))
        writer.append(.bytes(protectedBytes))
        writer.append(.bytes(externalAAD))
        writer.append(.bytes(payload))
        return writer.bytes
    }
}

/// Labels of COSE header parameters (RFC 9052, 3.1).
public enum COSEHeader {
    /// Signature algorithm.
    public static let algorithm: CBOR = 1
    /// Header parameters that must be understood.
    public static let critical: CBOR = 2
    /// Type of the payload.
    public static let contentType: CBOR = 3
    /// Key identifier.
    public static let keyIdentifier: CBOR = 4
    /// Type of the whole structure (RFC 9596).
    public static let type: CBOR = 16
}
