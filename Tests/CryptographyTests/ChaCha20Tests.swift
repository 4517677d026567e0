import Cryptography
import Encoding
import Testing

/// RFC 8439, A.1, test vectors 1 and 2: the first two blocks of a key of zeros.
@Suite struct ChaCha20Tests {
    private static let firstBlock = """
        76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586
        """
    private static let secondBlock = """
        9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f
        """

    @Test func theBlocksOfTheStandard() throws {
        let stream = ChaCha20.keyStream(key: [UInt8](repeating: 0, count: 32), count: 128)
        #expect(try stream == Hex.decode(Self.firstBlock + Self.secondBlock))
    }

    @Test func anyLengthIsTheBeginning() {
        let key = [UInt8](1...32)
        let stream = ChaCha20.keyStream(key: key, count: 2048)
        for count in [0, 1, 63, 64, 65, 2047] { #expect(ChaCha20.keyStream(key: key, count: count) == Array(stream.prefix(count))) }
    }
}
