import Encoding
import Foundation
import Testing

@Suite("Base64 text")
struct Base64Tests {
    @Test("The vectors of RFC 4648, 10", arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy")
    ])
    func vectors(_ plain: String, _ text: String) throws {
        let bytes = Array(plain.utf8)
        let url = text.replacing("=", with: "")
        #expect(Base64.encode(bytes) == text)
        #expect(try Base64.decode(text) == bytes)
        #expect(Base64.encode(bytes, .url) == url)
        #expect(try Base64.decode(url, .url) == bytes)
    }

    @Test("The two characters in which the alphabets differ")
    func alphabets() throws {
        let bytes: [UInt8] = [0xFB, 0xFF, 0xBF]
        #expect(Base64.encode(bytes) == "+/+/")
        #expect(Base64.encode(bytes, .url) == "-_-_")
        #expect(throws: Base64Error.notADigit(offset: 0)) { try Base64.decode("-_-_") }
        #expect(throws: Base64Error.notADigit(offset: 0)) { try Base64.decode("+/+/", .url) }
    }

    @Test("Foundation agrees on every length up to 300")
    func foundation() throws {
        for count in 0...300 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
            let text = Data(bytes).base64EncodedString()
            #expect(Base64.encode(bytes) == text)
            #expect(try Base64.decode(text) == bytes)
        }
    }

    @Test("What is refused", arguments: [
        ("Zg", Base64Error.wrongLength(count: 2)), ("Zg=", .wrongLength(count: 3)), ("Z===", .notADigit(offset: 1)),
        ("====", .notADigit(offset: 0)), ("Zg==Zg==", .notADigit(offset: 2)), ("Zm9v\n", .wrongLength(count: 5)),
        ("Zm 9", .notADigit(offset: 2)), ("Zh==", .unusedBits), ("Zm9=", .unusedBits),
        ("Z\u{E9}v", .notADigit(offset: 1))
    ])
    func refused(_ text: String, _ error: Base64Error) {
        #expect(throws: error) { try Base64.decode(text) }
        #expect(error.code.hasPrefix("base64-") && error.message.hasSuffix("."))
    }

    @Test("The URL form takes no filling and no lone character")
    func refusedURL() {
        #expect(throws: Base64Error.notADigit(offset: 2)) { try Base64.decode("Zg==", .url) }
        #expect(throws: Base64Error.wrongLength(count: 5)) { try Base64.decode("Zm9vY", .url) }
        #expect(throws: Base64Error.unusedBits) { try Base64.decode("Zh", .url) }
    }
}
