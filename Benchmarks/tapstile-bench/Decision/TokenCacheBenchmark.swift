import Credentials
import Cryptography
import Service

/// What a full cache of tokens holds in memory, each kept after its phone's proof.
struct TokenCacheBenchmark {
    /// The default of `trust.token-cache`.
    private static let capacity = 1024

    let site: BenchSite
    let report: Report

    func run() throws {
        var cache = TokenCache(capacity: Self.capacity)
        let key = try SigningKey.generate(.p256)
        let signature = try key.sign([0])
        // The first one also makes what all of them share.
        try remember(0, in: &cache, key, signature)
        let before = ProcessHeap.bytesInUse
        for number in 1..<Self.capacity { try remember(number, in: &cache, key, signature) }
        let held = Double(ProcessHeap.bytesInUse) - Double(before)
        guard cache.count == Self.capacity else { throw BenchError("tokens share a reference") }
        report.add("token-cache-memory", held / 1_048_576, "MiB", bar: 2)
    }

    private func remember(_ number: Int, in cache: inout TokenCache, _ key: SigningKey, _ signature: [UInt8]) throws {
        let now = UnixTime.now
        let claims = TokenClaims(
            issuer: SiteKeys.site, subject: "visitor-\(number)", audiences: ["tapstile:\(SiteKeys.site)"], notBefore: now - 60,
            expiresAt: now + 86400, cti: Array(SiteKeys.bytes("cache \(number)").prefix(8)), confirmationKey: COSEKey(key: key.publicKey))
        // Read from bytes, as the gate does: nothing is shared between two tokens.
        let token = try Token(parsing: Token.issue(claims, key: site.keys.issuer).raw)
        guard token.confirmationKey.verify(signature, over: [0]) else { throw BenchError("a signature does not verify") }
        cache.remember(token, verifiedIn: 1)
    }
}
