import ControlProtocol
import Encoding

/// What whoever wants files and tapstile-net say to each other. The first byte says in pieces of which length the others come: that makes no
/// difference, what was read is written and read again as the same, and whoever wrote no frame is never read again. Reports go on to the watch
/// over one file, which never hands on more than was asked for.
func fuzz(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let stream = Array(input.dropFirst())
    let whole = read(stream, pieces: max(1, stream.count))
    let inPieces = read(stream, pieces: Int(first) + 1)
    precondition(inPieces.frames == whole.frames && inPieces.refusal == whole.refusal, "pieces make no difference")
    let again = read(whole.frames.flatMap(\.bytes), pieces: FetchFrameReader.mostBytes)
    precondition(again.frames == whole.frames && again.refusal == nil, "what was read is written as the same")
    if let refusal = whole.refusal { precondition(!refusal.message.isEmpty, "a refusal has a sentence") }
    watch(whole.frames)
}

private func read(_ stream: [UInt8], pieces: Int) -> (frames: [FetchFrame], refusal: FrameError?) {
    var reader = FetchFrameReader()
    var frames: [FetchFrame] = []
    for start in stride(from: 0, to: stream.count, by: pieces) {
        var piece = stream[start..<min(start + pieces, stream.count)]
        do throws(FrameError) {
            while let frame = try reader.next(from: &piece) { frames.append(frame) }
        } catch {
            var more = FetchFrame.report(.beat).bytes[...]
            precondition((try? reader.next(from: &more)) == nil && more.count == FetchFrame.headLength, "a refusal is for good")
            return (frames, error)
        }
        precondition(piece.isEmpty, "all that came was taken")
    }
    return (frames, nil)
}

/// Every frame that asks begins a watch of its own; a second passes with each that tells.
private func watch(_ frames: [FetchFrame]) {
    guard var job = try? FetchJob(url: "https://a/b", mostBytes: 64, milliseconds: 20_000, minimumRate: 1) else { return }
    var watch = FetchWatch(job, at: 0)
    var (now, received, isOver) = (Int64(0), Int64(0), false)
    for frame in frames {
        switch frame {
        case .order(.fetch(let next)):
            job = next
            watch = FetchWatch(job, at: now)
            (received, isOver) = (0, false)
        case .order: break
        case .report(let report):
            now += 1000
            do throws(FetchBreach) {
                switch try watch.receive(report, at: now) {
                case .nothing, .head: break
                case .bytes(let bytes): received += Int64(bytes.count)
                case .end:
                    precondition(!isOver, "a file has one end")
                    isOver = true
                }
            } catch {
                precondition(!error.message.isEmpty && !error.code.isEmpty, "a breach has a code and a sentence")
                return
            }
            precondition(received <= job.mostBytes, "no more than was asked for is handed on")
            precondition(watch.wakeAt > now, "what is in order has a time in hand")
        }
    }
}
