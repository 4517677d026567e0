import Cryptography
import Encoding
import Testing

@Suite struct AgreementTests {
    @Test(arguments: Vector.load("ecdh-p256")) func p256(_ vector: Vector) throws {
        let key = try AgreementKey(rawPrivate: vector["d"], curve: .p256)
        #expect(try key.sharedSecret(with: PublicKey(curve: .p256, x: vector["x"], y: vector["y"])) == vector["z"])
        #expect(try key.sharedSecret(with: PublicKey(curve: .p256, x: vector["x"], y: nil)) == vector["z"])
    }

    @Test(arguments: Vector.load("x25519")) func x25519(_ vector: Vector) throws {
        let key = try AgreementKey(rawPrivate: vector["d"], curve: .x25519)
        #expect(try key.sharedSecret(with: PublicKey(curve: .x25519, x: vector["x"], y: nil)) == vector["z"])
    }

    @Test(arguments: [Curve.p256, .x25519]) func bothSidesAgree(_ curve: Curve) throws {
        for _ in 0..<20 {
            let a = try AgreementKey.generate(curve), b = try AgreementKey.generate(curve)
            let secret = try a.sharedSecret(with: b.publicKey)
            #expect(secret.count == 32)
            #expect(try secret == b.sharedSecret(with: a.publicKey))
            let byX = try PublicKey(curve: curve, x: b.publicKey.x, y: nil)
            #expect(try secret == a.sharedSecret(with: byX))
        }
    }

    @Test func pointsOffTheCurveAreRefused() throws {
        let good = try AgreementKey.generate().publicKey
        var y = try #require(good.y)
        y[31] ^= 1
        #expect(throws: CryptographyError.pointNotOnCurve) { try PublicKey(curve: .p256, x: good.x, y: y) }
        let zero = [UInt8](repeating: 0, count: 32)
        let ones = [UInt8](repeating: 0xFF, count: 32)
        #expect(throws: CryptographyError.pointNotOnCurve) { try PublicKey(curve: .p256, x: zero, y: zero) }
        // Not below the prime of the field.
        #expect(throws: CryptographyError.pointNotOnCurve) { try PublicKey(curve: .p256, x: ones, y: good.y) }
        #expect(throws: CryptographyError.pointNotOnCurve) { try PublicKey(curve: .p256, x: ones, y: nil) }
    }

    /// For about half of all x there is no point.
    @Test func anXWithoutAPointIsRefused() {
        let answers = (0..<64).map { last in
            (try? PublicKey(curve: .p256, x: [UInt8](repeating: 0x11, count: 31) + [last], y: nil)) != nil
        }
        #expect(answers.contains(true))
        #expect(answers.contains(false))
    }

    @Test func coordinatesOfOtherLengthsAreRefused() throws {
        let good = try AgreementKey.generate().publicKey
        #expect(throws: CryptographyError.wrongLength) { try PublicKey(curve: .p256, x: [], y: nil) }
        #expect(throws: CryptographyError.wrongLength) { try PublicKey(curve: .p256, x: good.x + [0], y: good.y) }
        #expect(throws: CryptographyError.wrongLength) { try PublicKey(curve: .p256, x: good.x, y: []) }
        #expect(throws: CryptographyError.wrongLength) { try PublicKey(curve: .x25519, x: good.x, y: good.y) }
    }

    /// The points of small order (RFC 7748, 6.1; the list is that of curve25519's author).
    @Test(arguments: [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
    ]) func allZeroSecretsAreRefused(_ point: String) throws {
        let peer = try PublicKey(curve: .x25519, x: bytes(point), y: nil)
        #expect(throws: CryptographyError.zeroSharedSecret) { try AgreementKey.generate(.x25519).sharedSecret(with: peer) }
    }

    @Test func keysOfDifferentCurvesDoNotAgree() throws {
        let peer = try AgreementKey.generate(.x25519).publicKey
        #expect(throws: CryptographyError.curvesDiffer) { try AgreementKey.generate(.p256).sharedSecret(with: peer) }
        #expect(throws: CryptographyError.curveDoesNotFit) { try AgreementKey.generate(.ed25519) }
    }

    @Test func aKeyOfWhichOnlyXIsKnownVerifiesNothing() throws {
        let key = try SigningKey.generate()
        let byX = try PublicKey(curve: .p256, x: key.publicKey.x, y: nil)
        #expect(try !byX.verify(key.sign([1]), over: [1]))
    }

    @Test(arguments: Vector.load("thumbprint")) func thumbprint(_ vector: Vector) throws {
        #expect(try PublicKey(curve: .p256, x: vector["x"], y: vector["y"]).thumbprint == vector["thumbprint"])
    }

    @Test func thumbprintsTellKeysApart() throws {
        let a = try AgreementKey.generate(.x25519).publicKey, b = try SigningKey.generate(.ed25519).publicKey
        let sameX = try PublicKey(curve: .x25519, x: b.x, y: nil)
        #expect(a.thumbprint != b.thumbprint)
        #expect(sameX.thumbprint != b.thumbprint)
    }
}

func bytes(_ hex: String) -> [UInt8] {
    (try? Encoding.Hex.decode(hex)) ?? []
}
