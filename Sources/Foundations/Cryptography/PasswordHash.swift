/// What is kept of a password: scrypt (RFC 7914) over it and a salt of its own. To try one password takes 16 MiB and a third of a second of a small
/// computer, for whoever has stolen the hashes, too.
public struct PasswordHash: Hashable, Sendable {
    /// 16 random bytes.
    public let salt: [UInt8]
    /// 32 bytes.
    public let hash: [UInt8]

    /// N = 2^14, r = 8, p = 5: the least memory that OWASP's list has with that much work.
    static let cost: UInt64 = 1 << 14
    static let blockSize: UInt64 = 8, parallel: UInt64 = 5
    private static let saltLength = 16

    /// What was kept; nil unless the lengths are those.
    public init?(salt: [UInt8], hash: [UInt8]) {
        guard salt.count == Self.saltLength, hash.count == SHA256.length else { return nil }
        (self.salt, self.hash) = (salt, hash)
    }

    /// Of a password, under a fresh salt. Throws where there is no memory for it.
    public init(of password: [UInt8]) throws(CryptographyError) {
        salt = RandomBytes.make(Self.saltLength)
        hash = try Self.derive(password, salt)
    }

    /// Whether it is that of this password. Throws where there is no memory for it.
    public func fits(_ password: [UInt8]) throws(CryptographyError) -> Bool {
        ConstantTime.equal(hash, try Self.derive(password, salt))
    }

    private static func derive(_ password: [UInt8], _ salt: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let key = CryptoLibrary.scrypt(password, salt: salt, cost: cost, blockSize: blockSize, parallel: parallel, length: SHA256.length)
        guard let key else { throw .libraryFailed(operation: "scrypt") }
        return key
    }
}
