import CLinux
import CommandLineOptions
import Files
import Glibc
import Service
import Threads
import Uplink

/// The program that has to do with the network, so that the gate has not.
enum NetProgram {
    private static let syntax = ProgramSyntax(
        "tapstile-net", "Does what a gate needs from the network, in a process of its own.",
        commands: [
            CommandSyntax("fetch", "Fetches files by HTTP for whoever asks in frames.",
                          options: [.value("listen", "PATH", "a socket to hold for a gate without systemd: each connection is served by a process of its own"),
                                    .value("config", "PATH", "the gate's configuration: what [sync] names is fetched, and nothing else")],
                          details: "Started by tapstile-net.socket, which passes its socket as descriptor 3, or by a parent, on\n"
                              + "standard input and output. It ends with the connection. At a socket the configuration decides what\n"
                              + "is fetched and by which way (/etc/tapstile/tapstile.toml without --config), whatever the gate asks\n"
                              + "for. On standard input and output without --config, whoever started the program does.")
        ])

    static func run(arguments: [String]) -> Int32 {
        syntax.run(arguments, json: false, unknown: "internal-error") { command in
            if let path = command.value("listen") {
                try SocketKeeper(path: path, argument: "fetch", option: command.value("config").map { "--config=\($0)" }).run()
                return ExitStatus.success.rawValue
            }
            return try fetch(command.value("config")).rawValue
        }
    }

    private static func fetch(_ configuration: String?) throws -> ExitStatus {
        guard let listener = ListeningSocket.adopt() else { return try fetchForParent(configuration) }
        // First of all: a connection that nobody takes would have systemd start the program again and again.
        guard let connection = try ListeningSocket.accept(listener) else { return .success }
        return try serve(input: connection, output: connection) { FetchPermission(configuration: configuration ?? delivered) }
    }

    private static let delivered = "/etc/tapstile/tapstile.toml"

    private static func fetchForParent(_ configuration: String?) throws -> ExitStatus {
        guard isatty(STDIN_FILENO) == 0, isatty(STDOUT_FILENO) == 0 else { throw NoConnection() }
        return try serve(input: FileDescriptor(owning: STDIN_FILENO), output: FileDescriptor(owning: STDOUT_FILENO)) {
            configuration.map { FetchPermission(configuration: $0) } ?? .asked
        }
    }

    private static let endings: [Int32] = [SIGTERM, SIGINT]

    private static func serve(input: FileDescriptor, output: FileDescriptor, by permission: @escaping () -> FetchPermission) throws -> ExitStatus {
        let stop = FileDescriptor(owning: try SystemError.check(clinux_signalfd_create(endings, Int32(endings.count)), "signalfd"))
        let end = run(input, output, stop, permission)
        if let code = end.code { StandardStream.error.report("tapstile-net", code: code, message: end.message, json: false) }
        // Whatever libcurl's threads are doing; nothing of this process needs to be put in order.
        _exit((end.code == nil ? ExitStatus.success : .failure).rawValue)
    }

    private static func run(_ input: FileDescriptor, _ output: FileDescriptor, _ stop: FileDescriptor, _ permission: @escaping () -> FetchPermission) -> FetchEnd {
        do throws(FetchEnd) {
            let service = try FetchService(input: input, output: output, stop: stop, permission: permission, onRound: { Notify.watchdog() })
            Notify.ready(status: "fetching for the gate")
            return service.run()
        } catch {
            return error
        }
    }
}

/// Nobody is there who asks.
struct NoConnection: ReportableError {
    var code: String { "net-no-connection" }
    var message: String {
        "There is no socket at descriptor 3, and standard input is a terminal. `systemctl start tapstile-net.socket` starts the program when the "
            + "gate asks for it."
    }
}
