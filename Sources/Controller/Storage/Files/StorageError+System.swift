import Threads

/// Does work on a file; what the system refuses becomes a storage error.
func withStorageErrors<Result>(_ body: () throws(SystemError) -> Result) throws(StorageError) -> Result {
    do throws(SystemError) {
        return try body()
    } catch {
        throw StorageError(errno: error.number, doing: error.attempt)
    }
}
