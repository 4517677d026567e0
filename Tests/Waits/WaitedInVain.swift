#if canImport(Testing)
import Testing
#endif

/// What a test waited for did not come.
public struct WaitedInVain: Error, CustomStringConvertible {
    public let description: String
    private let fileID: String
    private let line: Int

    /// - Parameters:
    ///   - what: what was waited for: "the second look".
    ///   - instead: what came, or what was there at the end.
    public init(_ what: String, instead: String, seconds: Int = WaitLimit.seconds, fileID: String, line: Int) {
        let place = "\(fileID.split(separator: "/").last ?? ""):\(line)"
        let came = instead.isEmpty ? "nothing" : Self.end(of: instead)
        description = "\(place): waited \(seconds) s for \(what); there was instead: \(came)"
        self.fileID = fileID
        self.line = line
    }

    /// What came last says most, and a red run must stay readable.
    private static func end(of text: String) -> String {
        let most = 2000
        return text.count > most ? "… " + text.suffix(most) : text
    }

    /// Fails the run from where no test can be told: on a thread that a test started, at the end of an object.
    public func report() {
        failRun(self, fileID: fileID, line: line)
    }
}

/// Waits where nothing can be thrown; one in vain fails the run all the same.
public func reportingWaits(fileID: String = #fileID, line: Int = #line, _ body: () throws -> Void) {
    do { try body() } catch { failRun(error, fileID: fileID, line: line) }
}

private func failRun(_ error: any Error, fileID: String, line: Int) {
    // Builds with the static library of Swift have no tests in them.
    #if canImport(Testing)
    Issue.record(error, sourceLocation: SourceLocation(fileID: fileID, filePath: fileID, line: line, column: 1))
    #else
    print(error)
    #endif
}
