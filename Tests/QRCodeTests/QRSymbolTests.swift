import Foundation
import QRCode
import Testing

@Suite("A link as a QR symbol") struct QRSymbolTests {
    static let link = "https://gates.example/visit/#AAECAwQFBgcICQoLDA0ODw"

    @Test("It has the finder patterns of a symbol, light all around")
    func shape() throws {
        let symbol = try #require(QRSymbol(Self.link))
        let last = symbol.side - 1
        for (column, row) in [(0, 0), (last, 0), (0, last)] { #expect(symbol.isDark(column, row)) }
        #expect(!symbol.isDark(-1, 0))
        #expect(!symbol.isDark(symbol.side, 0))
        #expect(symbol.side % 4 == 1)
    }

    @Test("A terminal shows each module once")
    func terminal() throws {
        let symbol = try #require(QRSymbol(Self.link))
        let lines = symbol.terminalLines
        for row in 0..<symbol.side {
            for column in 0..<symbol.side {
                let sign = Array(lines[(row + 2) / 2])[column + 2]
                let isLight = (row + 2) % 2 == 0 ? "█▀".contains(sign) : "█▄".contains(sign)
                #expect(isLight != symbol.isDark(column, row))
            }
        }
    }

    @Test("The picture is a PNG whose sums are right")
    func picture() throws {
        let symbol = try #require(QRSymbol(Self.link))
        let bytes = symbol.png
        #expect(Array(bytes[..<8]) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        // The sums of IHDR and IEND, of which IEND's is the same in every PNG.
        #expect(Array(bytes.suffix(12)) == [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
        let points = (symbol.side + 8) * 8
        #expect(Array(bytes[16..<24]) == [0, 0, UInt8(points >> 8), UInt8(points & 255), 0, 0, UInt8(points >> 8), UInt8(points & 255)])
    }

    @Test("The drawing has no style, script or link in it")
    func drawing() throws {
        let svg = try #require(QRSymbol(Self.link)).svg
        for word in ["style", "script", "href", "AAEC"] { #expect(!svg.contains(word)) }
    }

    @Test("What is too long, or has a zero in it, is no symbol", arguments: [String(repeating: "a", count: 1025), "a\u{0}b", ""])
    func none(_ text: String) { #expect(QRSymbol(text) == nil) }
}
