import Threads

/// The numbers of links. One sequence for the whole program: radios that are made anew, as after a change of the configuration,
/// go on where others ended.
///
/// Any thread may ask; the lock guards the last number.
enum LinkNumber {
    private static let last = Mutex<UInt64>(0)

    static func next() -> UInt64 {
        last.withLock { last in
            last += 1
            return last
        }
    }
}
