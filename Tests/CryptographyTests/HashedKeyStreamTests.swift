import Testing
@testable import Cryptography

@Suite struct HashedKeyStreamTests {
    @Test("Each stream is that of the hash of label and form, whatever was made before")
    func streams() {
        let streams = HashedKeyStream(label: [1, 2, 3], count: 200)
        for length in [0, 1, 63, 64, 300, 5] {
            let form = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let made = streams.withStream(of: ([9] + form)[1...]) { Array($0) }
            #expect(made == ChaCha20.keyStream(key: SHA256.hash([1, 2, 3] + form), count: 200))
        }
    }
}
