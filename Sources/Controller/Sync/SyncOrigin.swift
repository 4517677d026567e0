import ControlProtocol

/// Where the files of a run come from. What they are held against is the same.
enum SyncOrigin: Equatable, Sendable {
    /// The repository's server, by `tapstile-net`.
    case server
    /// A folder that somebody brought, by `tapstile import`.
    case folder

    /// Why a file was not had.
    func failure(_ stop: FetchStop, of name: String) -> SyncFailure {
        if self == .folder, case .breach(let breach) = stop { return Self.folder(breach, name) }
        if self == .folder, stop == .gaveWay {
            return SyncFailure(.unreachable, code: "folder-slow", message: "\(name): The folder took so long that the server had to wait "
                + "\(SyncPlan.folderPatience / 60_000) minutes for its turn, which it has now. Copy the folder to a faster place, and bring that.")
        }
        return SyncFailure(stop, of: name)
    }

    /// An answer that is neither the file nor that there is none.
    func failure(status: Int, of name: String) -> SyncFailure {
        self == .server ? .status(status, of: name) : Self.folder(.outOfTurn("the status \(status)"), name)
    }

    private static func folder(_ breach: FetchBreach, _ name: String) -> SyncFailure {
        let fault = FolderFault(breach)
        return SyncFailure(.unreachable, code: fault.code, message: "\(name): \(fault.message)")
    }
}
