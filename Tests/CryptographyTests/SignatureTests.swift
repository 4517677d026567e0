import Cryptography
import Testing

@Suite struct SignatureTests {
    // Order of P-256 (SEC 2, 2.4.2).
    static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51
    ]

    @Test(arguments: Vector.load("ecdsa-p256")) func es256(_ vector: Vector) throws {
        let key = try SigningKey(rawPrivate: vector["d"], curve: .p256)
        #expect(try key.publicKey == PublicKey(curve: .p256, x: vector["x"], y: vector["y"]))
        #expect(try key.publicKey.verify(vector["signature"], over: vector["message"]))
        #expect(try key.publicKey.verify(vector["signature"], overDigest: SHA256.hash(vector["message"])))
        #expect(try !key.publicKey.verify(vector["signature"], over: vector["message"] + [0]))
    }

    @Test(arguments: Vector.load("ed25519")) func edDSA(_ vector: Vector) throws {
        let key = try SigningKey(rawPrivate: vector["seed"], curve: .ed25519)
        #expect(try key.publicKey.x == vector["x"])
        #expect(try key.sign(vector["message"]) == vector["signature"])
        #expect(try key.publicKey.verify(vector["signature"], over: vector["message"]))
        #expect(try !key.publicKey.verify(vector["signature"], over: vector["message"] + [0]))
    }

    /// r and s lose leading zero bytes in DER; 1000 signatures meet short ones of each kind.
    @Test(arguments: [Curve.p256, .ed25519]) func ownSignaturesAlwaysHave64BytesAndVerify(_ curve: Curve) throws {
        let key = try SigningKey.generate(curve)
        for round in 0..<(curve == .p256 ? 1000 : 20) {
            let message = [UInt8(truncatingIfNeeded: round), UInt8(round >> 8)]
            let signature = try key.sign(message)
            #expect(signature.count == 64)
            #expect(key.publicKey.verify(signature, over: message))
        }
    }

    @Test func everyChangedBitIsRefused() throws {
        let key = try SigningKey.generate()
        let signature = try key.sign([1, 2, 3])
        for bit in 0..<(64 * 8) {
            var changed = signature
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(!key.publicKey.verify(changed, over: [1, 2, 3]))
        }
    }

    @Test func signaturesOfOtherLengthsAreRefused() throws {
        let key = try SigningKey.generate()
        let signature = try key.sign([1])
        for length in [0, 1, 32, 63] {
            #expect(!key.publicKey.verify(Array(signature.prefix(length)), over: [1]))
        }
        #expect(!key.publicKey.verify(signature + [0], over: [1]))
    }

    @Test func zeroAndOrderAreNoScalars() throws {
        let key = try SigningKey.generate()
        let signature = try key.sign([1])
        let zero = [UInt8](repeating: 0, count: 32)
        let r = Array(signature.prefix(32)), s = Array(signature.suffix(32))
        let ones = [UInt8](repeating: 0xFF, count: 32)
        for (first, second) in [(zero, zero), (zero, s), (r, zero), (Self.order, s), (r, Self.order), (ones, s), (r, ones)] {
            #expect(!key.publicKey.verify(first + second, over: [1]))
        }
    }

    /// ES256 itself allows both s and n − s; tokens are told apart by what was signed (Credentials).
    @Test func theOtherSVerifiesToo() throws {
        let key = try SigningKey.generate()
        let signature = try key.sign([1])
        let other = Array(signature.prefix(32)) + subtract(Self.order, Array(signature.suffix(32)))
        #expect(other != signature)
        #expect(key.publicKey.verify(other, over: [1]))
    }

    @Test func otherKeyIsRefused() throws {
        let signature = try SigningKey.generate().sign([1])
        #expect(try !SigningKey.generate().publicKey.verify(signature, over: [1]))
    }

    @Test func keysThatOnlyAgreeDoNotSign() throws {
        #expect(throws: CryptographyError.curveDoesNotFit) { try SigningKey.generate(.x25519) }
        #expect(throws: CryptographyError.curveDoesNotFit) { try SigningKey(rawPrivate: [UInt8](repeating: 1, count: 32), curve: .x25519) }
        let key = try AgreementKey.generate(.x25519).publicKey
        #expect(!key.verify([UInt8](repeating: 1, count: 64), over: []))
    }

    @Test func privateValuesOutsideTheRangeAreRefused() throws {
        #expect(throws: CryptographyError.privateValueOutOfRange) { try SigningKey(rawPrivate: [UInt8](repeating: 0, count: 32), curve: .p256) }
        #expect(throws: CryptographyError.privateValueOutOfRange) { try SigningKey(rawPrivate: Self.order, curve: .p256) }
        #expect(throws: CryptographyError.privateValueOutOfRange) { try SigningKey(rawPrivate: [UInt8](repeating: 0xFF, count: 32), curve: .p256) }
        for length in [0, 31, 33] {
            #expect(throws: CryptographyError.wrongLength) { try SigningKey(rawPrivate: [UInt8](repeating: 1, count: length), curve: .p256) }
            #expect(throws: CryptographyError.wrongLength) { try SigningKey(rawPrivate: [UInt8](repeating: 1, count: length), curve: .ed25519) }
        }
        var last = Self.order
        last[31] -= 1
        #expect(try SigningKey(rawPrivate: last, curve: .p256).sign([]).count == 64)
    }

    /// One key object serves several threads: the readers' threads share the gate's keys.
    @Test func oneKeySignsAndVerifiesOnSeveralThreads() async throws {
        let key = try SigningKey.generate()
        let good = await withTaskGroup(of: Int.self) { group in
            for task in 0..<4 {
                group.addTask {
                    (0..<200).count { round in
                        let message = [UInt8(task), UInt8(round)]
                        return (try? key.sign(message)).map { key.publicKey.verify($0, over: message) } ?? false
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(good == 800)
    }

    private func subtract(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        var borrow = 0
        var result = [UInt8](repeating: 0, count: a.count)
        for index in a.indices.reversed() {
            let difference = Int(a[index]) - Int(b[index]) - borrow
            borrow = difference < 0 ? 1 : 0
            result[index] = UInt8(truncatingIfNeeded: difference)
        }
        return result
    }
}

/// Objects of libcrypto that verified for one key verify for the next (`SpareVerifiers`): nothing of the first may be left.
@Suite struct SpareVerifierTests {
    private static let message: [UInt8] = [1, 2, 3]

    /// A signer's signature, and the coordinates of its key.
    private static func signed() throws -> (x: [UInt8], y: [UInt8], signature: [UInt8]) {
        let signer = try SigningKey.generate()
        let key = signer.publicKey
        return (key.x, try #require(key.y), try signer.sign(message))
    }

    @Test func aKeyVerifiesForItselfAlone() throws {
        let signers = try (0..<40).map { _ in try Self.signed() }
        for (number, signer) in signers.enumerated() {
            // Made, used and let go again, one after another: the object is the same.
            let key = try PublicKey(curve: .p256, x: signer.x, y: signer.y)
            let other = signers[(number + 1) % signers.count]
            #expect(key.verify(signer.signature, over: Self.message))
            #expect(!key.verify(other.signature, over: Self.message))
        }
    }

    @Test func whatIsNoPointLeavesNothing() throws {
        let signer = try Self.signed()
        var wrong = signer.y
        wrong[31] ^= 1
        for _ in 0..<20 {
            #expect(throws: CryptographyError.pointNotOnCurve) { try PublicKey(curve: .p256, x: signer.x, y: wrong, isForUse: true) }
            #expect(try PublicKey(curve: .p256, x: signer.x, y: signer.y, isForUse: true).verify(signer.signature, over: Self.message))
        }
    }

    /// One key, many threads: each has a context of its own.
    @Test func threadsThatShareAKeyDoNotMeet() async throws {
        let signer = try Self.signed()
        let key = try PublicKey(curve: .p256, x: signer.x, y: signer.y)
        var forged = signer.signature
        forged[63] ^= 1
        let answers = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask { [forged] in key.verify(number % 2 == 0 ? signer.signature : forged, over: Self.message) == (number % 2 == 0) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 64 && answers.allSatisfy(\.self))
    }
}
