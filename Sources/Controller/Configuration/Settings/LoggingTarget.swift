/// Where log lines go.
public enum LoggingTarget: String, Sendable, CaseIterable {
    /// systemd's journal; standard error where none runs.
    case journal
    case stderr
}
