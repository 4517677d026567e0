import Encoding
import Invitations
import Testing

/// A server's nonces: forged, over, of another server.
@Suite struct NonceTests {
    private let server = ServerNonce(key: [UInt8](repeating: 1, count: 32))

    @Test func itIsKnownForFiveMinutes() throws {
        let nonce = server.make(now: noon)
        let judged = try #require(server.judge(nonce, now: noon))
        #expect(judged.madeAt == noon && judged.name.count == 24)
        #expect(server.judge(nonce, now: noon + 299) != nil)
        #expect(server.judge(nonce, now: noon + 300) == nil)
        #expect(server.judge(nonce, now: noon - 5) != nil)
        #expect(server.judge(nonce, now: noon - 6) == nil)
    }

    @Test func twoAreNeverAlike() { #expect(server.make(now: noon) != server.make(now: noon)) }

    @Test func aForgedOneIsNotOurs() throws {
        let other = ServerNonce(key: [UInt8](repeating: 2, count: 32))
        #expect(server.judge(other.make(now: noon), now: noon) == nil)
        let bytes = try Base64.decode(server.make(now: noon).text, .url)
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            let text = try #require(NonceText(Base64.encode(changed, .url)))
            #expect(server.judge(text, now: noon) == nil, "byte \(place)")
        }
        let short = try #require(NonceText(Base64.encode(Array(bytes.dropLast()), .url)))
        #expect(server.judge(short, now: noon) == nil)
    }
}
