/// Makes frames of bytes as they come, in pieces of any length. It never holds more than one frame.
public struct FrameReader<Frame: StreamFrame>: Sendable {
    /// The most that it holds.
    public static var mostBytes: Int { Frame.headLength + Frame.mostBodyBytes }

    private var held: [UInt8] = []
    private var refusal: FrameError?

    /// Allocates all that it will ever need.
    public init() {
        held.reserveCapacity(Self.mostBytes)
    }

    /// Takes bytes from the front of `input` up to the end of the next frame. Nil when all were taken and more are needed.
    /// - Throws: when they are no frame; once it has thrown it always does.
    public mutating func next(from input: inout ArraySlice<UInt8>) throws(FrameError) -> Frame? {
        if let refusal { throw refusal }
        do throws(FrameError) {
            return try frame(from: &input)
        } catch {
            refusal = error
            throw error
        }
    }

    private mutating func frame(from input: inout ArraySlice<UInt8>) throws(FrameError) -> Frame? {
        move(upTo: Frame.headLength, from: &input)
        guard let head = try head() else { return nil }
        let whole = Frame.headLength + head.length
        move(upTo: whole, from: &input)
        guard held.count == whole else { return nil }
        defer { held.removeAll(keepingCapacity: true) }
        return try Frame(kind: head.kind, body: held[Frame.headLength...])
    }

    private mutating func move(upTo count: Int, from input: inout ArraySlice<UInt8>) {
        let piece = input.prefix(max(0, count - held.count))
        held += piece
        input = input.dropFirst(piece.count)
    }

    /// What the head says; nil while it is not whole. What is wrong with it is seen at the first byte that is.
    private func head() throws(FrameError) -> (kind: UInt8, length: Int)? {
        var rest = held[...]
        if let version = Frame.version {
            guard let first = rest.popFirst() else { return nil }
            guard first == version else { throw .version(first) }
        }
        guard let kind = rest.popFirst() else { return nil }
        guard let most = Frame.bodyLimit(ofKind: kind) else { throw .kind(kind) }
        guard rest.count >= Frame.lengthBytes else { return nil }
        let length = rest.prefix(Frame.lengthBytes).reduce(0) { $0 << 8 | Int($1) }
        guard length <= most else { throw .length(length) }
        return (kind, length)
    }
}
