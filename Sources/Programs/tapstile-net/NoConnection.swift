import CommandLineOptions

/// Nobody is there who asks.
struct NoConnection: ReportableError {
    var code: String { "net-no-connection" }
    var message: String {
        "There is no socket at descriptor 3, and standard input is a terminal. `systemctl start tapstile-net.socket` starts the program when the "
            + "gate asks for it."
    }
}
