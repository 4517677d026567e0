import Foundation
import Testing

@testable import Storage

/// Databases as an older program wrote them.
enum OlderDatabase {
    /// A script from Vectors.
    static func script(_ name: String) throws -> String {
        let url = try #require(Bundle.module.url(forResource: "Vectors/\(name)", withExtension: "sql"))
        return try String(contentsOf: url, encoding: .utf8)
    }

    /// Runs a script on a database of the folder; makes the file where there is none.
    static func run(_ name: String, on database: String, in folder: TemporaryFolder) throws {
        if !folder.has(database) { try folder.write([], to: database) }
        let connection = try SQLiteConnection(path: folder.path(database), access: .readWrite, cacheKibibytes: 64)
        try connection.execute(script(name))
    }

    /// The schema as SQLite keeps it, and its number.
    static func schema(of path: String) throws -> [String] {
        let connection = try SQLiteConnection(path: path, access: .readWrite, cacheKibibytes: 64)
        let rows = try connection.prepare("SELECT name, coalesce(sql, '') FROM sqlite_schema ORDER BY name")
        var schema = ["\(try connection.integer("PRAGMA user_version"))"]
        while try rows.step() { schema.append("\(rows.text(0)): \(rows.text(1).split(separator: " ").joined(separator: " "))") }
        return schema
    }

    static func isWhole(_ path: String) throws -> Bool {
        let connection = try SQLiteConnection(path: path, access: .readWrite, cacheKibibytes: 64)
        let check = try connection.prepare("PRAGMA integrity_check")
        return try check.step() && check.text(0) == "ok"
    }
}

/// Copies of a folder, each as it was at one moment.
final class Snapshots: @unchecked Sendable { // the copies are made on the thread that the test waits for
    private let folder: TemporaryFolder
    private(set) var copies: [TemporaryFolder] = []

    init(of folder: TemporaryFolder) { self.folder = folder }

    /// What a kill at this moment would leave. The index of a write-ahead log dies with the machine.
    func copy() {
        guard let copy = try? TemporaryFolder() else { return }
        for name in folder.names where !name.hasSuffix("-shm") {
            if let bytes = try? folder.bytes(name) { try? copy.write(bytes, to: name) }
        }
        copies.append(copy)
    }
}
