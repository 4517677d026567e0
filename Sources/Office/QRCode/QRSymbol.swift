import CQREncode

/// A text as a QR symbol (ISO/IEC 18004), with error correction M: a seventh of it may be dirty.
public struct QRSymbol: Hashable, Sendable {
    /// How many modules it is wide and high, without what has to be around it.
    public let side: Int
    /// Row by row, true for dark.
    private let modules: [Bool]

    /// Light modules that readers want on each side.
    public static let quietZone = 4
    /// The longest text, in bytes.
    public static let longest = 1024

    /// Nil for a text that is too long or has a zero in it.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.longest, !text.utf8.contains(0), let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else { return nil }
        defer { QRcode_free(code) }
        side = Int(code.pointee.width)
        guard let data = code.pointee.data else { return nil }
        modules = (0..<(side * side)).map { data[$0] & 1 == 1 }
    }

    /// Whether a module is dark. The quiet zone begins at −`quietZone`.
    public func isDark(_ column: Int, _ row: Int) -> Bool {
        guard (0..<side).contains(column), (0..<side).contains(row) else { return false }
        return modules[row * side + column]
    }

    /// Lines for a terminal with light letters on dark ground, two rows a line. (On light ground it is dark for light, which phones read, too.)
    public var terminalLines: [String] {
        let margin = 2, span = -margin..<(side + margin)
        return stride(from: -margin, to: side + margin, by: 2).map { row in
            String(span.map { column in
                switch (isDark(column, row), isDark(column, row + 1) || row + 1 >= side + margin) {
                case (false, false): Character("█")
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            })
        }
    }

    /// A drawing that scales, without styles: it may stand within a page whose policy forbids them.
    public var svg: String {
        let whole = side + 2 * Self.quietZone
        var path = ""
        for row in 0..<side {
            var column = 0
            while column < side {
                guard isDark(column, row) else { column += 1; continue }
                let begin = column
                while column < side, isDark(column, row) { column += 1 }
                path += "M\(begin + Self.quietZone) \(row + Self.quietZone)h\(column - begin)v1h-\(column - begin)z"
            }
        }
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(whole) \(whole)\" width=\"\(whole * 8)\" height=\"\(whole * 8)\" "
            + "shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h\(whole)v\(whole)h-\(whole)z\"/><path fill=\"#000\" d=\"\(path)\"/></svg>"
    }
}
