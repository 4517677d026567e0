/// Makes frames of bytes as they come, in pieces of any length. It never holds more than one frame.
public struct FetchFrameReader: Sendable {
    /// The most that it holds.
    public static let mostBytes = FetchFrame.headLength + FetchFrame.mostBodyBytes

    private var held: [UInt8] = []
    private var refusal: FetchFrameError?

    public init() {}

    /// Takes bytes from the front of `input` up to the end of the next frame. Nil when all were taken and more are needed.
    /// - Throws: when they are no frame; once it has thrown it always does.
    public mutating func next(from input: inout ArraySlice<UInt8>) throws(FetchFrameError) -> FetchFrame? {
        if let refusal { throw refusal }
        do throws(FetchFrameError) {
            return try frame(from: &input)
        } catch {
            refusal = error
            throw error
        }
    }

    private mutating func frame(from input: inout ArraySlice<UInt8>) throws(FetchFrameError) -> FetchFrame? {
        take(upTo: FetchFrame.headLength, from: &input)
        guard let head = try head() else { return nil }
        let whole = FetchFrame.headLength + head.length
        take(upTo: whole, from: &input)
        guard held.count == whole else { return nil }
        defer { held.removeAll(keepingCapacity: true) }
        return try FetchFrame(head.kind, body: held[FetchFrame.headLength...])
    }

    private mutating func take(upTo count: Int, from input: inout ArraySlice<UInt8>) {
        let piece = input.prefix(max(0, count - held.count))
        held += piece
        input = input.dropFirst(piece.count)
    }

    /// What the head says; nil while it is not whole. An unknown kind is seen at its byte.
    private func head() throws(FetchFrameError) -> (kind: FetchFrameKind, length: Int)? {
        guard let first = held.first else { return nil }
        guard let kind = FetchFrameKind(rawValue: first) else { throw .kind(first) }
        guard held.count >= FetchFrame.headLength else { return nil }
        let length = held[1..<FetchFrame.headLength].reduce(0) { $0 << 8 | Int($1) }
        guard length <= kind.mostBodyBytes else { throw .length(length) }
        return (kind, length)
    }
}

/// The first byte of a frame.
enum FetchFrameKind: UInt8 {
    case fetch = 1
    case head = 2
    case bytes = 3
    case end = 4
    case failed = 5
    case setUp = 6
    case cancel = 7
    case beat = 8

    /// The bodies of these have no more than this many bytes: what is longer is refused before it is held.
    var mostBodyBytes: Int {
        switch self {
        case .bytes: FetchFrame.mostBodyBytes
        case .fetch, .setUp: 8192
        case .head, .failed: 1024
        case .end, .cancel, .beat: 0
        }
    }
}
