import Cryptography
import Testing

@Suite struct HashTests {
    @Test(arguments: Vector.load("sha256")) func sha256(_ vector: Vector) throws {
        #expect(try SHA256.hash(vector["data"]) == vector["hash"])
    }

    @Test func streamInPiecesEqualsOneShot() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        for size in [1, 3, 63, 64, 65, 999] {
            var stream = HashStream.sha256
            for start in stride(from: 0, to: bytes.count, by: size) {
                stream.update(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(stream.finish() == SHA256.hash(bytes))
        }
    }

    @Test func copyOfAStreamContinuesOnItsOwn() {
        var first = HashStream.sha256
        first.update([1, 2])
        var second = first
        second.update([3])
        first.update([4])
        #expect(first.finish() == SHA256.hash([1, 2, 4]))
        #expect(second.finish() == SHA256.hash([1, 2, 3]))
    }

    @Test func finishLeavesTheStreamUsable() {
        var stream = HashStream.sha256
        #expect(stream.finish() == SHA256.hash([]))
        stream.update([9])
        #expect(stream.finish() == SHA256.hash([9]))
    }

    @Test(arguments: Vector.load("hmac")) func hmac(_ vector: Vector) throws {
        #expect(try HMACSHA256.authenticate([vector["data"]], key: vector["key"]) == vector["mac"])
    }

    @Test(arguments: Vector.load("hkdf")) func hkdf(_ vector: Vector) throws {
        let prk = try HKDF.extract(salt: vector["salt"], inputKey: vector["ikm"])
        #expect(try prk == vector["prk"])
        #expect(try HKDF.expand(prk, info: vector["info"], length: vector["okm"].count) == vector["okm"])
    }

    @Test func emptySaltMeansThirtyTwoZeroBytes() {
        #expect(HKDF.extract(salt: [], inputKey: [5]) == HKDF.extract(salt: [UInt8](repeating: 0, count: 32), inputKey: [5]))
    }

    @Test func expandGivesEveryLength() {
        let prk = SHA256.hash([])
        let long = HKDF.expand(prk, info: [1], length: HKDF.longestOutput)
        for length in [0, 1, 31, 32, 33, 64, 8159] {
            #expect(HKDF.expand(prk, info: [1], length: length) == Array(long.prefix(length)))
        }
    }

    @Test func constantTimeComparison() {
        #expect(ConstantTime.equal([], []))
        #expect(ConstantTime.equal([1, 2], [1, 2]))
        #expect(!ConstantTime.equal([1, 2], [1, 3]))
        #expect(!ConstantTime.equal([1, 2], [1, 2, 3]))
    }

    @Test func randomBytesHaveTheirLengthAndDiffer() {
        #expect(RandomBytes.make(0).isEmpty)
        #expect(RandomBytes.make(32).count == 32)
        #expect(RandomBytes.make(32) != RandomBytes.make(32))
    }
}
