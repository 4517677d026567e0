import CGPIOD
import Glibc
import Threads

/// A line that is ours. Each has its own lock and its own opening of the chip, so that a slow
/// expander delays nobody else's line.
final class HeldLine: Sendable {
    /// The line with the chip that keeps it valid.
    private struct Grip: ~Copyable {
        let chip: GPIOChip
        let line: OpaquePointer

        deinit {
            cgpiod_line_give_back(line)
        }
    }

    let seat: LineSeat
    let direction: LineDirection
    /// An output was active before it was taken: with nobody driving it, what hangs on it is on.
    let wasActive: Bool
    /// nil after the line was given back.
    private let grip: Mutex<Grip?>

    /// Takes the line; an output is inactive from the first moment on (L6).
    /// - Parameter looking: an output's level is looked at first, and not changed by the look.
    /// - Throws: `.busy` with the holder's name, or what keeps the chip from being opened.
    init(_ request: LineRequest, found: LineSearch, looking: Bool) throws(LineError) {
        seat = found.seat
        direction = request.direction
        let chip = try GPIOChip(path: found.path, wanted: request.chip)
        if looking, request.direction == .output, let (line, wasActive) = chip.lookAndTake(seat.offset, for: request) {
            self.wasActive = wasActive
            grip = Mutex(Grip(chip: chip, line: line))
            return
        }
        wasActive = false
        let (line, errno) = chip.take(seat.offset, for: request)
        guard let line else {
            guard errno == EBUSY else {
                throw .failed(doing: "Taking \(request.line) of \(request.chip)", errno: errno)
            }
            throw .busy(chip: request.chip, line: request.line, consumer: chip.consumer(seat.offset) ?? "")
        }
        grip = Mutex(Grip(chip: chip, line: line))
    }

    /// - Throws: `.failed` with the kernel's reason, `.released` after the line was given back.
    func set(active: Bool) throws(LineError) {
        let result = try withLine { cgpiod_line_set($0, seat.offset, active) }
        if result < 0 { throw .failed(doing: "Setting \(self)", errno: -result) }
    }

    /// - Throws: as `set` does.
    func read() throws(LineError) -> Bool {
        let result = try withLine { cgpiod_line_get($0, seat.offset) }
        if result < 0 { throw .failed(doing: "Reading \(self)", errno: -result) }
        return result == 1
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
            if let held = grip?.line, direction == .output { _ = cgpiod_line_set(held, seat.offset, false) }
            grip = nil
        }
    }

    private func withLine(_ act: (OpaquePointer) -> Int32) throws(LineError) -> Int32 {
        let result: Int32? = grip.withLock { grip in
            guard let line = grip?.line else { return nil }
            return act(line)
        }
        guard let result else { throw .released }
        return result
    }
}

extension HeldLine: CustomStringConvertible {
    var description: String { "line \(seat.offset) of \(seat.chip)" }
}
