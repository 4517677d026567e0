import Glibc

/// Signals that stop a program.
enum Interruption {
    /// Lets them end this program at once, whatever it waits for: what changes the wallet may break off anywhere.
    static func endsAtOnce() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
}
