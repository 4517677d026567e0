import ChipReaders
import CLinux
import Files
import Glibc
import Service
import Threads

/// The program of a PN532 in a process of its own, for one gate, by a clock that goes faster. Everything else is what `tapstile-nfc` does.
enum ReaderProcess {
    /// - Parameters:
    ///   - path: where the gate connects.
    ///   - scale: how many times as fast the clock goes.
    static func run(socket path: String, scale: Int) throws {
        let listener = try ListeningSocket.open(path: path)
        var connection: FileDescriptor?
        while connection == nil { connection = try ListeningSocket.accept(listener) }
        guard let connection else { return }
        let endings = [SIGTERM, SIGINT]
        let stop = FileDescriptor(owning: try SystemError.check(clinux_signalfd_create(endings, Int32(endings.count)), "signalfd"))
        _ = try ReaderServer(connection, stop: stop, clock: ChipClock(scale: scale)).run()
        _exit(0)
    }
}
