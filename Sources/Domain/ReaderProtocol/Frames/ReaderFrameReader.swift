/// Makes frames of bytes as they come, in pieces of any length. It never holds more than one frame.
public struct ReaderFrameReader: Sendable {
    /// The most that it holds.
    public static let mostBytes = ReaderFrame.headLength + ReaderFrame.mostBodyBytes

    private var held: [UInt8] = []
    private var refusal: ReaderFrameError?

    /// Allocates all that it will ever need.
    public init() {
        held.reserveCapacity(Self.mostBytes)
    }

    /// Takes bytes from the front of `input` up to the end of the next frame. Nil when all were taken and more are needed.
    /// - Throws: when they are no frame; once it has thrown it always does.
    public mutating func next(from input: inout ArraySlice<UInt8>) throws(ReaderFrameError) -> ReaderFrame? {
        if let refusal { throw refusal }
        do throws(ReaderFrameError) {
            return try frame(from: &input)
        } catch {
            refusal = error
            throw error
        }
    }

    private mutating func frame(from input: inout ArraySlice<UInt8>) throws(ReaderFrameError) -> ReaderFrame? {
        take(upTo: ReaderFrame.headLength, from: &input)
        guard let head = try head() else { return nil }
        let whole = ReaderFrame.headLength + head.length
        take(upTo: whole, from: &input)
        guard held.count == whole else { return nil }
        defer { held.removeAll(keepingCapacity: true) }
        return try ReaderFrame(head.kind, body: held[ReaderFrame.headLength...])
    }

    private mutating func take(upTo count: Int, from input: inout ArraySlice<UInt8>) {
        let piece = input.prefix(max(0, count - held.count))
        held += piece
        input = input.dropFirst(piece.count)
    }

    /// What the head says; nil while it is not whole. What is wrong with it is seen at the first byte that is.
    private func head() throws(ReaderFrameError) -> (kind: ReaderFrameKind, length: Int)? {
        guard let version = held.first else { return nil }
        guard version == ReaderFrame.version else { throw .version(version) }
        guard held.count > 1 else { return nil }
        guard let kind = ReaderFrameKind(rawValue: held[1]) else { throw .kind(held[1]) }
        guard held.count >= ReaderFrame.headLength else { return nil }
        let length = Int(held[2]) << 8 | Int(held[3])
        guard length <= ReaderFrame.mostBodyBytes else { throw .length(length) }
        return (kind, length)
    }
}
