@testable import Cryptography
import Encoding
import Testing

@Suite struct PasswordHashTests {
    /// RFC 7914, 12, the third vector.
    @Test func scryptIsThatOfTheStandard() throws {
        let key = CryptoLibrary.scrypt(Array("password".utf8), salt: Array("NaCl".utf8), cost: 1024, blockSize: 8, parallel: 16, length: 64)
        #expect(Hex.encode(try #require(key)) == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
            + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640")
    }

    @Test func aHashFitsItsPasswordAndNoOther() throws {
        let password = Array("correct horse".utf8), hash = try PasswordHash(of: password)
        #expect(try hash.fits(password))
        #expect(try !hash.fits(Array("correct horsf".utf8)))
        #expect(try !hash.fits([]))
        let kept = try #require(PasswordHash(salt: hash.salt, hash: hash.hash))
        #expect(try kept.fits(password))
        // Two who have one password cannot be told by their hashes.
        #expect(try PasswordHash(of: password).hash != hash.hash)
        #expect(PasswordHash(salt: [], hash: hash.hash) == nil && PasswordHash(salt: hash.salt, hash: Array(hash.hash.dropLast())) == nil)
    }
}
