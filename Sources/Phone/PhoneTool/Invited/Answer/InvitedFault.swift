/// Why an invitation gives nothing. None of the sentences repeats a code of an invitation.
public enum InvitedFault: Error, Hashable, Sendable {
    /// The link is none; the sentence says why.
    case link(String)
    /// The server refused.
    case refused(ServerRefusal)
    /// The server's answer cannot be believed.
    case answer(AnswerFlaw)
    /// There is no way to the server, or no answer from it.
    case server(ServerFlaw, detail: String)

    /// Stable code; what the server refuses has the server's.
    public var code: String {
        switch self {
        case .link: "link-malformed"
        case .refused(let refusal): refusal.code
        case .answer(let flaw): flaw.code
        case .server(let flaw, _): flaw.code
        }
    }

    /// Sentences for people.
    public var message: String {
        switch self {
        case .link(let sentence): "This is no link of an invitation. \(sentence)"
        case .refused(let refusal): refusal.sentence
        case .answer(let flaw): flaw.message
        case .server(let flaw, let detail): "\(flaw.sentence)\(detail.isEmpty ? "" : " (\(detail))")."
        }
    }

    /// Whether the server refused with this code.
    func isRefusal(_ code: String) -> Bool {
        if case .refused(let refusal) = self { refusal.code == code } else { false }
    }
}

/// Why what a server answered is not kept.
public enum AnswerFlaw: Hashable, Sendable {
    /// It is not what such a server answers; the words name the member.
    case malformed(String)
    /// Its token is for another key.
    case otherKey
    /// It speaks of another site than the invitation, or than its own gates do.
    case otherSite
    /// Its token is over already.
    case over
    /// It is longer than any that is wanted.
    case tooLong
    /// It sends us elsewhere.
    case redirect

    /// Stable code.
    public var code: String {
        switch self {
        case .malformed: "answer-malformed"
        case .otherKey: "answer-other-key"
        case .otherSite: "answer-other-site"
        case .over: "answer-over"
        case .tooLong: "answer-too-long"
        case .redirect: "answer-redirect"
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .malformed(let what): "The server's answer is not kept: \(what) is missing, or not as it should be."
        case .otherKey: "The server's answer is not kept: its token is for another key than this phone's."
        case .otherSite: "The server's answer is not kept: it is of another site than the invitation, or its gates are."
        case .over: "The server's answer is not kept: its token is over, by the clock of this machine."
        case .tooLong: "The server's answer is not kept: it is longer than 64 KiB."
        case .redirect: "The server sends this phone to another address, which is never followed: the invitation's link must lead to the server itself."
        }
    }
}

/// What a server says when it refuses.
public struct ServerRefusal: Hashable, Sendable {
    /// Its stable code: 1 to 64 small letters, digits and hyphens.
    public let code: String
    /// Its sentence.
    public let message: String
    /// Seconds until it is worth trying again, where the server says so.
    public let retryAfter: Int64?

    public init(code: String, message: String, retryAfter: Int64? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    var sentence: String { retryAfter.map { "\(message) Try again in \($0) s." } ?? message }

    /// Whether nothing that this phone does makes the code good again.
    var endsInvitation: Bool { ["code-unknown", "code-used", "code-expired", "code-withdrawn"].contains(code) }
}
