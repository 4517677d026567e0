import CSQLite

/// Ends whatever takes more steps on a connection than anything honest can: a file from somebody else may hold a tree that leads back
/// into itself, and is then gone along for ever.
final class StepLimit {
    private var left: Int
    /// Between two looks.
    private static let stride = 10_000

    /// - Parameters:
    ///   - connection: must not outlive this.
    ///   - steps: of SQLite's machine, in all statements together.
    init(of connection: SQLiteConnection, steps: Int) {
        left = steps / Self.stride
        sqlite3_progress_handler(connection.handle, Int32(Self.stride), { context in
            guard let context else { return 0 }
            let limit = Unmanaged<StepLimit>.fromOpaque(context).takeUnretainedValue()
            limit.left -= 1
            return limit.left < 0 ? 1 : 0
        }, Unmanaged.passUnretained(self).toOpaque())
    }
}
