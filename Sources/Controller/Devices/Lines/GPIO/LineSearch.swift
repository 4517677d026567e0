import Glibc

/// Where a requested line is, as the board says at this moment.
struct LineSearch: Sendable {
    let seat: LineSeat
    /// The chip's device file.
    let path: String

    /// - Throws: whatever keeps the chip from being opened, `.noLine`, `.ambiguousLine`.
    init(_ request: LineRequest) throws(LineError) {
        path = try ChipSearch.path(of: request.chip)
        let chip = try GPIOChip(path: path, wanted: request.chip)
        seat = LineSeat(chip: chip.name, offset: try Self.offset(of: request, on: chip))
    }

    private static func offset(of request: LineRequest, on chip: borrowing GPIOChip) throws(LineError) -> UInt32 {
        switch request.line {
        case .offset(let offset) where offset < chip.lineCount: return offset
        case .offset: break
        case .named(let name):
            var found: UInt32?
            for offset in 0..<chip.lineCount where chip.lineName(offset) == name {
                guard found == nil else { throw .ambiguousLine(chip: request.chip, line: request.line) }
                found = offset
            }
            if let found { return found }
        }
        throw .noLine(chip: request.chip, line: request.line, count: chip.lineCount)
    }
}
