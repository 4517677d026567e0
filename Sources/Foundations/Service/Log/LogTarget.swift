/// Where lines go.
public enum LogTarget: String, Sendable, CaseIterable {
    /// systemd's journal, with the room as a field; standard error where no journal runs.
    case journal
    /// Standard error: with syslog prefixes under systemd, with the time elsewhere.
    case standardError = "stderr"
}
