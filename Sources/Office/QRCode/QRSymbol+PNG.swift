extension QRSymbol {
    /// A picture in black and white, 8 points a module (PNG, RFC 2083): rows of bits that are stored as they are, since a symbol is small.
    public var png: [UInt8] {
        let whole = side + 2 * Self.quietZone, points = whole * Self.scale
        var rows: [UInt8] = []
        for row in 0..<whole {
            // A byte is eight points, and so is a module. No filter.
            let line: [UInt8] = [0] + (0..<whole).map { isDark($0 - Self.quietZone, row - Self.quietZone) ? 0x00 : 0xFF }
            for _ in 0..<Self.scale { rows += line }
        }
        let header = Self.bytes(UInt32(points)) + Self.bytes(UInt32(points)) + [1, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header) + Self.chunk("IDAT", Self.stored(rows)) + Self.chunk("IEND", [])
    }

    private static let scale = 8

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        return bytes(UInt32(content.count)) + body + bytes(cyclicSum(of: body))
    }

    /// A zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4).
    private static func stored(_ content: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = content[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            stream += [rest.isEmpty ? 1 : 0, UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)] + block
        } while !rest.isEmpty
        return stream + bytes(adlerSum(of: content))
    }

    private static func adlerSum(of content: [UInt8]) -> UInt32 {
        var low: UInt32 = 1, high: UInt32 = 0
        for byte in content {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    /// CRC-32 (RFC 2083, 15).
    private static func cyclicSum(of content: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in content {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
}
