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

/// Finds the device file of a chip that an installer named by path, name or label.
enum ChipSearch {
    static let devices = "/dev"
    static let namePrefix = "gpiochip"

    /// - Throws: `.noChip`, `.ambiguousChip`, or `.noPermission` when the label may belong to a chip
    ///   that this user may not open.
    static func path(of chip: String) throws(LineError) -> String {
        if chip.contains("/") { return chip }
        if isName(chip) { return "\(devices)/\(chip)" }
        return try path(labelled: chip)
    }

    /// "gpiochip" and a number: the kernel's way to name chips.
    static func isName(_ chip: String) -> Bool {
        guard chip.hasPrefix(namePrefix) else { return false }
        let number = chip.dropFirst(namePrefix.count)
        return !number.isEmpty && number.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    private static func path(labelled label: String) throws(LineError) -> String {
        var found: [String] = []
        var closed: LineError?
        for path in paths() {
            do throws(LineError) {
                let chip = try GPIOChip(path: path, wanted: label)
                if chip.label == label { found.append(path) }
            } catch {
                if case .noPermission = error { closed = closed ?? error }
            }
        }
        if found.count > 1 { throw .ambiguousChip(chip: label, paths: found) }
        if let path = found.first { return path }
        throw closed ?? .noChip(chip: label)
    }

    /// The device files of all chips, in the order of their numbers.
    private static func paths() -> [String] {
        guard let directory = opendir(devices) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if isName(name) { names.append(name) }
        }
        return names.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.map { "\(devices)/\($0)" }
    }
}

/// Takes several lines at once and finds those that are asked for twice.
enum LineOpening {
    /// - Parameters:
    ///   - taken: the lines that are ours already.
    ///   - looking: whether to look at the level of outputs first.
    /// - Returns: each request's line or why it could not be had.
    static func open(_ requests: [LineRequest], besides taken: Set<LineSeat>, looking: Bool) -> [LineName: Result<HeldLine, LineError>] {
        var opened: [LineName: Result<HeldLine, LineError>] = [:]
        var found: [(request: LineRequest, place: LineSearch)] = []
        for request in requests {
            do throws(LineError) {
                found.append((request, try LineSearch(request)))
            } catch {
                opened[request.name] = .failure(error)
            }
        }
        let uses = Dictionary(grouping: found, by: \.place.seat).mapValues(\.count)
        for (request, place) in found {
            // Which of the two was meant cannot be known, so none of them is opened.
            let isShared = uses[place.seat, default: 0] > 1 || taken.contains(place.seat)
            opened[request.name] = isShared ? .failure(.requestedTwice(name: request.name)) : claim(request, place, looking)
        }
        return opened
    }

    private static func claim(_ request: LineRequest, _ place: LineSearch, _ looking: Bool) -> Result<HeldLine, LineError> {
        do throws(LineError) {
            return .success(try HeldLine(request, found: place, looking: looking))
        } catch {
            return .failure(error)
        }
    }
}

/// The one line of the board that a request means: what two requests must not share.
struct LineSeat: Hashable, Sendable {
    /// The kernel's name of the chip.
    let chip: String
    let offset: UInt32
}
