import Cryptography
import Testing

@Suite struct AEADTests {
    /// A key and a nonce of the lengths that an algorithm has: written down here, so that a wrong one in the code shows.
    static func lengths(_ algorithm: AEADAlgorithm) -> (key: Int, nonce: Int, tag: Int) {
        switch algorithm {
        case .a128GCM: (16, 12, 16)
        case .aesCCM16_64_128: (16, 13, 8)
        case .aesCCM16_128_128: (16, 13, 16)
        case .chaCha20Poly1305: (32, 12, 16)
        }
    }

    static func key(_ algorithm: AEADAlgorithm) -> [UInt8] { (0..<lengths(algorithm).key).map { UInt8($0) } }

    static func nonce(_ algorithm: AEADAlgorithm) -> [UInt8] { (1...lengths(algorithm).nonce).map { UInt8($0) } }

    @Test(arguments: AEADAlgorithm.allCases) func lengthsAreThoseOfCOSE(_ algorithm: AEADAlgorithm) {
        let (key, nonce, tag) = Self.lengths(algorithm)
        #expect(algorithm.keyLength == key)
        #expect(algorithm.nonceLength == nonce)
        #expect(algorithm.tagLength == tag)
    }

    @Test func thereAreVectorsForEach() {
        #expect(Set(Vector.load("aead").compactMap(\.algorithm)) == Set(AEADAlgorithm.allCases.map(\.rawValue)))
    }

    @Test(arguments: Vector.load("aead")) func vectors(_ vector: Vector) throws {
        let algorithm = try #require(vector.algorithm.flatMap(AEADAlgorithm.init))
        let sealed = try algorithm.seal(vector["plaintext"], key: vector["key"], nonce: vector["nonce"], additionalData: vector["aad"])
        #expect(try sealed == vector["sealed"])
        #expect(try algorithm.open(sealed, key: vector["key"], nonce: vector["nonce"], additionalData: vector["aad"]) == vector["plaintext"])
    }

    @Test(arguments: AEADAlgorithm.allCases) func everyLengthOpensAgain(_ algorithm: AEADAlgorithm) throws {
        let (key, nonce) = (Self.key(algorithm), Self.nonce(algorithm))
        for length in [0, 1, 15, 16, 17, 255, 300, AEADAlgorithm.longestMessage] {
            for aad in [[], [1], [UInt8](repeating: 7, count: 300)] {
                let plaintext = [UInt8](repeating: 3, count: length)
                let sealed = try algorithm.seal(plaintext, key: key, nonce: nonce, additionalData: aad)
                #expect(sealed.count == length + algorithm.tagLength)
                #expect(try algorithm.open(sealed, key: key, nonce: nonce, additionalData: aad) == plaintext)
            }
        }
    }

    @Test(arguments: AEADAlgorithm.allCases) func everyChangedBitIsRefused(_ algorithm: AEADAlgorithm) throws {
        let (key, nonce) = (Self.key(algorithm), Self.nonce(algorithm))
        let sealed = try algorithm.seal([1, 2, 3], key: key, nonce: nonce, additionalData: [9])
        for bit in 0..<(sealed.count * 8) {
            var changed = sealed
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: CryptographyError.notAuthentic) {
                try algorithm.open(changed, key: key, nonce: nonce, additionalData: [9])
            }
        }
    }

    @Test(arguments: AEADAlgorithm.allCases) func otherKeyNonceOrDataIsRefused(_ algorithm: AEADAlgorithm) throws {
        let (key, nonce) = (Self.key(algorithm), Self.nonce(algorithm))
        let sealed = try algorithm.seal([1], key: key, nonce: nonce, additionalData: [9])
        #expect(throws: CryptographyError.notAuthentic) { try algorithm.open(sealed, key: key.reversed(), nonce: nonce, additionalData: [9]) }
        #expect(throws: CryptographyError.notAuthentic) { try algorithm.open(sealed, key: key, nonce: nonce.reversed(), additionalData: [9]) }
        #expect(throws: CryptographyError.notAuthentic) { try algorithm.open(sealed, key: key, nonce: nonce, additionalData: []) }
        #expect(throws: CryptographyError.notAuthentic) { try algorithm.open(Array(sealed.dropFirst()), key: key, nonce: nonce, additionalData: [9]) }
        #expect(throws: CryptographyError.notAuthentic) { try algorithm.open([], key: key, nonce: nonce, additionalData: [9]) }
    }

    @Test(arguments: AEADAlgorithm.allCases) func wrongLengthsAreRefused(_ algorithm: AEADAlgorithm) throws {
        let (key, nonce) = (Self.key(algorithm), Self.nonce(algorithm))
        #expect(throws: CryptographyError.wrongLength) { try algorithm.seal([], key: key + [0], nonce: nonce, additionalData: []) }
        #expect(throws: CryptographyError.wrongLength) { try algorithm.seal([], key: key, nonce: nonce + [0], additionalData: []) }
        let long = [UInt8](repeating: 0, count: AEADAlgorithm.longestMessage + 1)
        #expect(throws: CryptographyError.wrongLength) { try algorithm.seal(long, key: key, nonce: nonce, additionalData: []) }
        #expect(throws: CryptographyError.wrongLength) {
            try algorithm.open(long + [UInt8](repeating: 0, count: 16), key: key, nonce: nonce, additionalData: [])
        }
    }
}
