import CLinux
import ChipReaders
import CommandLineOptions
import Files
import Glibc
import Service
import Threads

/// The program of one PN532, from its arguments to its end.
enum ReaderProgram {
    private static let syntax = ProgramSyntax(
        "tapstile-nfc", "Drives one PN532 for the gate, which tells it which one and how.",
        options: [.value("listen", "PATH", "a socket to hold for a gate without systemd: each connection is served by a process of its own")],
        details: "Started by tapstile-nfc@NAME.socket, which passes its socket as descriptor 3. It ends with the connection.")

    static func run(arguments: [String]) -> Int32 {
        reserveStandardDescriptors()
        return syntax.run(arguments, json: false, unknown: "internal-error") { command in
            if let path = command.value("listen") {
                try SocketKeeper(path: path).run()
                return ExitStatus.success.rawValue
            }
            guard let listener = ListeningSocket.adopt() else { throw NoSocket() }
            return try serve(listener).rawValue
        }
    }

    /// A port that got the number 0 would be taken by libnfc for a sign that a command is called off.
    private static func reserveStandardDescriptors() {
        while case let descriptor = open("/dev/null", O_RDWR), descriptor >= 0 {
            guard descriptor > STDERR_FILENO else { continue }
            close(descriptor)
            return
        }
    }

    private static let endings: [Int32] = [SIGTERM, SIGINT]

    private static func serve(_ listener: FileDescriptor) throws -> ExitStatus {
        // First of all: a connection that nobody takes would have systemd start the program again and again.
        guard let connection = try ListeningSocket.accept(listener) else { return .success }
        let stop = FileDescriptor(owning: try SystemError.check(clinux_signalfd_create(endings, Int32(endings.count)), "signalfd"))
        let server = try ReaderServer(connection, stop: stop, onRound: { Notify.watchdog() })
        Notify.ready(status: "serving the gate")
        let end = server.run()
        if let code = end.code { StandardStream.error.report("tapstile-nfc", code: code, message: end.message, json: false) }
        // Whatever the chip's thread is doing; nothing of this process needs to be put in order.
        _exit((end.code == nil ? ExitStatus.success : .failure).rawValue)
    }
}

/// Nobody passed a socket.
struct NoSocket: ReportableError {
    var code: String { "nfc-no-socket" }
    var message: String {
        "There is no socket at descriptor 3. `systemctl start tapstile-nfc@NAME.socket` starts the program when the gate asks for it."
    }
}
