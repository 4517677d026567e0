import ControlProtocol

/// Why a file of a folder was not had, as who brought it is told: nothing of a server stands between.
struct FolderFault {
    private let breach: FetchBreach

    init(_ breach: FetchBreach) { self.breach = breach }

    /// Stable code for operators.
    package var code: String {
        switch breach {
        case .failed(let fault) where ![.tooManyBytes, .tooSlow, .timeOver].contains(fault.kind): "folder-unreadable"
        case .failed, .endless, .slow, .late, .outOfTurn, .broken: breach.code
        case .silent: "folder-silent"
        case .gone: "folder-gone"
        }
    }

    /// A sentence for people.
    package var message: String {
        switch breach {
        case .failed(let fault): "It cannot be read: \(fault.detail.isEmpty ? fault.code : fault.detail)."
        case .endless: breach.message
        case .slow, .late: "It came too slowly: look at the stick."
        case .silent: "Nothing came for \(FetchWatch.silenceMilliseconds / 1000) s. Was the stick pulled out, or does it hang?"
        case .outOfTurn(let what): "The program that reads the folder said something out of its turn: \(what)."
        case .broken(let flaw): "The program that reads the folder does not keep to the protocol. \(flaw.message)"
        case .gone: "The program that reads the folder has ended before all was read."
        }
    }
}
