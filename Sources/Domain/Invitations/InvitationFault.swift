import Encoding

/// Why a phone does not get what it asks for. Faults compare by code.
public enum InvitationFault: Error, Sendable {
    /// No invitation has this code, or it is no code at all: both answer alike.
    case codeUnknown
    /// Another key has the invitation, or the same one for longer than it may ask again.
    case codeUsed
    /// The code was not redeemed in time, or the invitation is over.
    case codeExpired
    /// The invitation was withdrawn.
    case codeWithdrawn
    /// The invitation begins later, UNIX seconds.
    case notYet(from: Int64)
    /// The signature is not that of the key over the statement, with this server's origin.
    case proofWrong
    /// The nonce is not from here, too old, or was used.
    case nonceUnknown
    /// The phone's clock differs from the server's, UNIX seconds.
    case clockDiffers(server: Int64)
    /// The key has another invitation, or had one that was taken back.
    case keyInUse
    /// The key is none that gates take; a sentence.
    case keyRefused(String)
    /// No invitation was redeemed with this key.
    case keyUnknown
    /// The access is suspended.
    case suspended
    /// The access was taken back.
    case revoked
    /// The invitation is over.
    case over
    /// Too many requests that failed, from this address or with this code; so many seconds to wait.
    case tooMany(retryAfter: Int)
    /// The server has too much to do; so many seconds to wait.
    case busy(retryAfter: Int)
    /// The database cannot be used now. Nothing was changed.
    case databaseAway
    /// The body is not what the protocol says; a sentence.
    case requestMalformed(String)
    /// The body is longer than `RequestBody.longest`.
    case tooLong
    /// The attestation does not show what it has to; a sentence.
    case attestationRefused(String)

    /// The stable code.
    public var code: String {
        switch self {
        case .codeUnknown: "code-unknown"
        case .codeUsed: "code-used"
        case .codeExpired: "code-expired"
        case .codeWithdrawn: "code-withdrawn"
        case .notYet: "not-yet"
        case .proofWrong: "proof-wrong"
        case .nonceUnknown: "nonce-unknown"
        case .clockDiffers: "clock-differs"
        case .keyInUse: "key-in-use"
        case .keyRefused: "key-refused"
        case .keyUnknown: "key-unknown"
        case .suspended: "suspended"
        case .revoked: "revoked"
        case .over: "over"
        case .tooMany: "too-many"
        case .busy: "busy"
        case .databaseAway: "database-away"
        case .requestMalformed: "request-malformed"
        case .tooLong: "too-long"
        case .attestationRefused: "attestation-refused"
        }
    }

    /// The status of the HTTP answer.
    public var status: Int {
        switch self {
        case .requestMalformed, .keyRefused: 400
        case .notYet, .proofWrong, .nonceUnknown, .clockDiffers, .suspended, .revoked, .attestationRefused: 403
        case .codeUnknown, .keyUnknown: 404
        case .codeUsed, .keyInUse: 409
        case .codeExpired, .codeWithdrawn, .over: 410
        case .tooLong: 413
        case .tooMany: 429
        case .busy, .databaseAway: 503
        }
    }

    /// Seconds to wait before asking again; nil where waiting does not help.
    public var retryAfter: Int? {
        switch self {
        case .tooMany(let seconds), .busy(let seconds): max(1, seconds)
        case .databaseAway: 5
        case .codeUnknown, .codeUsed, .codeExpired, .codeWithdrawn, .notYet, .proofWrong, .nonceUnknown, .clockDiffers, .keyInUse, .keyRefused,
             .keyUnknown, .suspended, .revoked, .over, .requestMalformed, .tooLong, .attestationRefused: nil
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .codeUnknown: "There is no invitation for this link. Look whether the whole link was copied, or ask for another."
        case .codeUsed: "This link was used already, by another phone or another browser. Ask for another."
        case .codeExpired: "This link is over. Ask for another."
        case .codeWithdrawn: "This invitation was withdrawn."
        case .notYet(let from): "This invitation begins at \(UTCText.make(seconds: from))."
        case .proofWrong: "The proof does not fit the key, the code and this server."
        case .nonceUnknown: "The request was late or is a repetition. Ask for a new nonce and try again."
        case .clockDiffers(let server): "The clock of the phone is wrong: here it is \(UTCText.make(seconds: server))."
        case .keyInUse: "This key has another invitation already. Make a new key."
        case .keyRefused(let why): why
        case .keyUnknown: "No invitation was redeemed with this key."
        case .suspended: "This access is suspended. Ask whoever invited you."
        case .revoked: "This access was taken back."
        case .over: "This invitation is over."
        case .tooMany(let seconds): "Too many requests failed. Wait \(max(1, seconds)) seconds."
        case .busy: "The server has much to do. Try again in a moment."
        case .databaseAway: "The server cannot reach its data now. Nothing was lost; try again in a moment."
        case .requestMalformed(let why): why
        case .tooLong: "The request is longer than \(RequestBody.longest) bytes."
        case .attestationRefused(let why): why
        }
    }

    /// The body of the answer.
    public var json: JSON {
        var error: JSONObject = ["code": .string(code), "message": .string(message)]
        if let retryAfter { error["retryAfter"] = JSON(retryAfter) }
        return ["error": .object(error)]
    }
}

extension InvitationFault: Hashable {
    /// Faults compare by code: sentences, times and waits may differ.
    public static func == (left: InvitationFault, right: InvitationFault) -> Bool { left.code == right.code }

    /// Feeds the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
