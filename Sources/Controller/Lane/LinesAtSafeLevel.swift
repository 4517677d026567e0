import Configuration
import Lines

/// De-energises the relays of a gate that does not run: after it has ended in any way, and when it
/// cannot start because of its configuration (L6).
public struct LinesAtSafeLevel: Sendable {
    /// How many lines were asked for.
    public let count: Int
    /// The lines that could not be had, with the code and a sentence, in the order of their names.
    public let failures: [(line: String, code: String, message: String)]

    /// The lines that are active now that nobody drives them: wiring that is not safe by itself.
    public let unsafe: [(line: String, code: String, message: String)]

    /// Asks for every line that was in force last, by the file in the state folder; where there is no such
    /// file, for those of the configuration. A line that a running gate holds stays as it is.
    /// - Parameters:
    ///   - configuration: the path of the configuration, which may be unreadable.
    ///   - stateFolder: the state folder if the configuration does not say which.
    /// - Throws: `lines-unknown` when neither says what lines there are.
    public init(configuration path: String, stateFolder: String) throws(StartError) {
        let folder = ConfigurationFile.stateFolder(path: path) ?? stateFolder
        // The whole configuration is read only where it must be: every moment counts here.
        guard let lines = LinesInForce(keptIn: folder) ?? Self.configured(path) else {
            throw StartError(code: "lines-unknown",
                             message: "No lines to put at their safe level: there is no \(folder)/\(LinesInForce.fileName), and \(path) cannot be used.")
        }
        count = lines.requests.count
        let (failures, active) = lines.rest()
        self.failures = failures.sorted { $0.key < $1.key }.map { ($0.key, $0.value.code, $0.value.message) }
        unsafe = active.sorted().map { ($0, LaneWarning.levelUnsafe.code, LaneWarning.levelUnsafe.message) }
    }

    private static func configured(_ path: String) -> LinesInForce? {
        (try? ConfigurationFile.load(path: path, checkingFiles: false)).map { LinesInForce($0.configuration) }
    }
}
