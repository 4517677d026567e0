/// The least grave line that is written.
public enum LoggingLevel: String, Sendable, CaseIterable {
    case off, error, warning, notice, info, debug
}
