import CommandLineOptions

/// Nobody passed a socket.
struct NoSocket: ReportableError {
    var code: String { "nfc-no-socket" }
    var message: String {
        "There is no socket at descriptor 3. `systemctl start tapstile-nfc@NAME.socket` starts the program when the gate asks for it."
    }
}
