import CSQLite
import Glibc
import Threads

extension StorageError {
    /// The one place where SQLite's result codes are given a meaning.
    /// - Parameters:
    ///   - result: an extended result code (https://www.sqlite.org/rescode.html).
    ///   - systemError: errno as SQLite kept it, 0 if it kept none.
    init(sqlite result: Int32, systemError: Int32 = 0, doing what: String) {
        let kind = Self.kind(of: result, systemError: systemError)
        let words = sqlite3_errstr(result).map { String(cString: $0) } ?? "unknown"
        let system = systemError == 0 ? "" : ", errno \(systemError)"
        self.init(kind, "Could not \(what): \(words) (SQLite \(result)\(system)).")
    }

    private static func kind(of result: Int32, systemError: Int32) -> Kind {
        switch result {
        case CSQLITE_IOERR_NOMEM.asResult: return .outOfMemory
        case CSQLITE_IOERR_CORRUPTFS.asResult: return .corrupt
        default: break
        }
        // The low byte is the primary code, the rest says more about it.
        switch result & 0xff {
        case SQLITE_FULL: return .diskFull
        case SQLITE_READONLY: return .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: return .busy
        // Interrupted is who takes more steps than anything honest (`StepLimit`).
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_INTERRUPT: return .corrupt
        case SQLITE_IOERR: return Kind(inputOutput: systemError)
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: return Kind(systemError: systemError) ?? .cannotOpen
        case SQLITE_NOMEM: return .outOfMemory
        default: return .statement
        }
    }

    /// An error of a system call of our own.
    init(errno number: Int32, doing what: String) {
        let words = SystemError.words(for: number)
        self.init(Kind(systemError: number) ?? .inputOutput, "Could not \(what): \(words) (errno \(number)).")
    }
}

extension StorageError.Kind {
    /// SQLite reports only a failed write() as full; other calls tell it through errno, which may also be
    /// an older one: only what fits is believed.
    fileprivate init(inputOutput systemError: Int32) {
        switch Self(systemError: systemError) {
        case .some(.diskFull): self = .diskFull
        case .some(.readOnly): self = .readOnly
        case .some(.outOfMemory): self = .outOfMemory
        case .some, .none: self = .inputOutput
        }
    }

    /// The errno values that say more than "input or output failed".
    fileprivate init?(systemError: Int32) {
        switch systemError {
        case ENOSPC, EDQUOT, EFBIG: self = .diskFull
        case EROFS: self = .readOnly
        case ENOENT, ENOTDIR, EACCES, EPERM, EISDIR, ELOOP, EMFILE, ENFILE: self = .cannotOpen
        case ENOMEM: self = .outOfMemory
        default: return nil
        }
    }
}

extension FixedWidthInteger {
    fileprivate var asResult: Int32 { Int32(truncatingIfNeeded: self) }
}
