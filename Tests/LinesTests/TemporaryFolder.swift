import Foundation

/// A folder that goes with the test.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/tapstile-lines-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a regular file and answers its path.
    func file(_ name: String) throws -> String {
        let path = "\(path)/\(name)"
        try Data("no chip".utf8).write(to: URL(fileURLWithPath: path))
        return path
    }
}
