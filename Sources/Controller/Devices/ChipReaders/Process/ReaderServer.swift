import Files
import ReaderProtocol
import Threads

/// Serves one connection of the gate with one chip: two threads, of which one hears the gate and one drives the chip.
public final class ReaderServer {
    private let desk = ChipDesk()
    private let wire: WireThread
    private let chip: Worker

    /// Begins to serve.
    /// - Parameters:
    ///   - connection: a connected stream socket that does not block.
    ///   - stop: ends it when it becomes readable.
    ///   - clock: by which phones are looked for.
    ///   - onRound: called several times in a second while the gate is heard.
    public init(_ connection: FileDescriptor, stop: FileDescriptor, clock: ChipClock = .machine,
                onRound: @escaping () -> Void = {}) throws(SystemError) {
        // Before there is a second thread.
        _ = ChipLibrary.shared
        let (desk, socket) = (desk, ReportSocket(connection))
        wire = try WireThread(socket, stop: stop, desk: desk, onRound: onRound)
        chip = try Worker(name: "chip") { ChipThread.run(desk, socket, clock) }
    }

    /// Until the connection has ended. The chip's thread may still be in a call that does not return: whoever called this ends the process.
    public func run() -> WireEnd {
        let end = wire.run()
        desk.close()
        return end
    }

    /// Waits for the chip's thread, after `run`.
    func finish() { chip.join() }
}
