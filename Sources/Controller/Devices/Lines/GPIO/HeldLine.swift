import CGPIOD
import Glibc
import Threads

/// A line that is ours. Each has its own lock and its own opening of the chip, so that a slow
/// expander delays nobody else's line.
///
/// Any thread may call. `grip` is held during one ioctl; no other lock is taken under it.
final class HeldLine: Sendable {
    /// The line with the chip that keeps it valid.
    private struct Grip: ~Copyable {
        enum Hold {
            case output(OpaquePointer)
            case input(UnsafeMutablePointer<cgpiod_input>)
        }

        let chip: GPIOChip
        let hold: Hold

        deinit {
            switch hold {
            case .output(let line): cgpiod_line_give_back(line)
            case .input(let input): cgpiod_input_give_back(input)
            }
        }
    }

    let seat: LineSeat
    /// An output was active before it was taken: with nobody driving it, what hangs on it is on.
    let wasActive: Bool
    /// Of an input: readable while edges wait. Valid until the line is given back. -1 for an output.
    let descriptor: Int32
    /// nil after the line was given back.
    private let grip: Mutex<Grip?>

    /// Takes the line; an output is inactive from the first moment on (L6), an input keeps its edges.
    /// - Parameter looking: an output's level is looked at first, and not changed by the look.
    /// - Throws: `.busy` with the holder's name, or what keeps the chip from being opened.
    init(_ request: LineRequest, found: LineSearch, looking: Bool) throws(LineError) {
        seat = found.seat
        let chip = try GPIOChip(path: found.path, wanted: request.chip)
        switch request.direction {
        case .output:
            let (line, wasActive) = try Self.requestOutput(request, at: seat.offset, of: chip, looking: looking)
            self.wasActive = wasActive
            descriptor = -1
            grip = Mutex(Grip(chip: chip, hold: .output(line)))
        case .input:
            let (taken, errno) = chip.requestInput(seat.offset, for: request)
            guard let input = taken else { throw Self.error(taking: request, at: seat.offset, of: chip, errno) }
            wasActive = false
            descriptor = cgpiod_input_descriptor(input)
            grip = Mutex(Grip(chip: chip, hold: .input(input)))
        }
    }

    private static func requestOutput(_ request: LineRequest, at offset: UInt32, of chip: borrowing GPIOChip,
                                   looking: Bool) throws(LineError) -> (OpaquePointer, wasActive: Bool) {
        if looking, let (line, wasActive) = chip.lookAndTake(offset, for: request) { return (line, wasActive) }
        let (line, errno) = chip.requestOutput(offset, for: request)
        guard let line else { throw error(taking: request, at: offset, of: chip, errno) }
        return (line, false)
    }

    private static func error(taking request: LineRequest, at offset: UInt32, of chip: borrowing GPIOChip, _ errno: Int32) -> LineError {
        switch (errno, request.direction) {
        case (EBUSY, _): .busy(chip: request.chip, line: request.line, consumer: chip.consumer(offset) ?? "")
        case (ENXIO, .input), (EOPNOTSUPP, .input): .noEdges(chip: request.chip, line: request.line)
        default: .failed(doing: "Taking \(request.line) of \(request.chip)", errno: errno)
        }
    }

    /// - Throws: `.failed` with the kernel's reason, `.released` after the line was given back.
    func set(active: Bool) throws(LineError) {
        let result = try withHold { hold in
            guard case .output(let line) = hold else { return -EPERM }
            return cgpiod_line_set(line, seat.offset, active)
        }
        if result < 0 { throw .failed(doing: "Setting \(self)", errno: -result) }
    }

    /// - Throws: as `set` does.
    func read() throws(LineError) -> Bool {
        let result = try withHold { hold in
            switch hold {
            case .output(let line): cgpiod_line_get(line, seat.offset)
            case .input(let input): cgpiod_input_get(input)
            }
        }
        if result < 0 { throw .failed(doing: "Reading \(self)", errno: -result) }
        return result == 1
    }

    /// Fetches edges of an input from the kernel, the oldest ones first, without waiting and without touching the
    /// chip. Fewer than `atMost` are all that there are.
    /// - Throws: as `set` does.
    func fetchEdges(atMost: Int) throws(LineError) -> [cgpiod_edge] {
        var edges: [cgpiod_edge] = []
        while edges.count < atMost {
            let (piece, result) = try fetchPiece()
            if result < 0 { throw .failed(doing: "Reading \(self)", errno: -result) }
            if piece.isEmpty { break }
            edges += piece
        }
        return edges
    }

    private func fetchPiece() throws(LineError) -> ([cgpiod_edge], Int32) {
        var result: Int32 = 0
        let piece = [cgpiod_edge](unsafeUninitializedCapacity: 16) { buffer, filled in
            result = (try? withHold { hold in
                guard case .input(let input) = hold else { return -EPERM }
                return cgpiod_input_fetch(input, buffer.baseAddress, Int32(buffer.count))
            }) ?? -ENODEV
            filled = max(0, Int(result))
        }
        return (piece, result)
    }

    /// Whether the chip is still on the board. Asks the kernel, not the chip: no level is touched.
    func isAlive() -> Bool {
        grip.withLock { grip in
            grip?.chip.consumer(seat.offset) != nil
        }
    }

    /// Takes an output to its inactive level and gives the line back. Doing it twice does no harm.
    func giveBack() {
        grip.withLock { grip in
            if case .output(let line)? = grip?.hold { _ = cgpiod_line_set(line, seat.offset, false) }
            grip = nil
        }
    }

    private func withHold(_ act: (Grip.Hold) -> Int32) throws(LineError) -> Int32 {
        let result: Int32? = grip.withLock { grip in
            guard let hold = grip?.hold else { return nil }
            return act(hold)
        }
        guard let result else { throw .released }
        return result
    }
}

extension HeldLine: CustomStringConvertible {
    var description: String { "line \(seat.offset) of \(seat.chip)" }
}
