import Encoding

/// How a server of invitations is asked.
public protocol InvitationWay {
    /// Sends an object by POST, and answers with whatever came back.
    /// - Parameter path: below the server's base, with a slash before it.
    func post(_ path: String, to server: InvitationServer, _ body: JSON) throws(InvitedFault) -> ServerAnswer
}
