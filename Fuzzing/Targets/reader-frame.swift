import Encoding
import ReaderProtocol

/// What the gate and the program of a PN532 say to each other. The first byte says in pieces of which length the others come: that makes
/// no difference, a frame is written as it was read, and whoever wrote no frame is never read again.
func fuzz(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let stream = Array(input.dropFirst())
    let whole = read(stream, pieces: max(1, stream.count))
    let inPieces = read(stream, pieces: Int(first) + 1)
    precondition(inPieces.frames == whole.frames && inPieces.refusal == whole.refusal, "pieces make no difference")
    let written = whole.frames.flatMap(\.bytes)
    precondition(stream.starts(with: written), "a frame is written as it was read")
    if let refusal = whole.refusal { precondition(!refusal.message.isEmpty, "a refusal has a sentence") }
    if whole.refusal == nil { precondition(stream.count - written.count < ReaderFrameReader.mostBytes, "what is no frame has an end") }
}

private func read(_ stream: [UInt8], pieces: Int) -> (frames: [ReaderFrame], refusal: FrameError?) {
    var reader = ReaderFrameReader()
    var frames: [ReaderFrame] = []
    for start in stride(from: 0, to: stream.count, by: pieces) {
        var piece = stream[start..<min(start + pieces, stream.count)]
        do throws(FrameError) {
            while let frame = try reader.next(from: &piece) { frames.append(frame) }
        } catch {
            var more: ArraySlice<UInt8> = [1, 0x85, 0, 0]
            precondition((try? reader.next(from: &more)) == nil && more.count == 4, "a refusal is for good")
            return (frames, error)
        }
        precondition(piece.isEmpty, "all that came was taken")
    }
    return (frames, nil)
}
