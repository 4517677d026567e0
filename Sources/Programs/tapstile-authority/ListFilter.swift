import Authority
import CommandLineOptions
import Encoding

/// Which lines of a list are wanted, and how many at a time.
struct ListFilter {
    /// What a line is about; nil: its list says nothing of that.
    struct Line {
        var subjects: [String] = []
        var thumbprint: [UInt8]?
        var expires: Int64?
    }

    private let subject: String?
    private let thumbprint: [UInt8]?
    private let ends: Range<Int64>?
    private let limit: Int
    private let skip: Int
    private var matches = 0

    /// - Parameter known: the options that have a meaning for the list.
    init(_ command: ParsedCommand, known: [String], now: Int64) throws {
        for option in ["subject", "key", "expiring", "without-phone"] where command.has(option) && !known.contains(option) {
            throw CommandLineError.unknownOption(option, known: known)
        }
        subject = command.value("subject")?.composed
        thumbprint = try command.thumbprint("key")
        ends = try command.seconds("expiring").map { now..<(now + $0) }
        limit = try command.integer("limit", in: 1...Int(Int32.max)) ?? .max
        skip = try command.integer("skip", in: 0...Int(Int32.max)) ?? 0
    }

    /// Whether a line is to be written.
    mutating func wants(_ line: Line) -> Bool {
        if let subject, !line.subjects.contains(where: { $0.utf8.elementsEqual(subject.utf8) }) { return false }
        if let thumbprint, line.thumbprint != thumbprint { return false }
        if let ends, line.expires.map({ !ends.contains($0) }) ?? true { return false }
        matches += 1
        return matches > skip && matches - skip <= limit
    }

    /// Whether nothing was asked for that is there.
    var isEmpty: Bool { matches == 0 }

    /// What to say when there is more than was asked for, or nothing; nil otherwise.
    var rest: String? {
        if isEmpty { return "nothing: this list has no such line" }
        guard matches - skip > limit else { return nil }
        return "\(limit) of \(matches) lines; go on with --skip \(skip + limit)"
    }
}
