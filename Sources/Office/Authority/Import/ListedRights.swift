import Credentials

/// What one line of a list says of rights. Nil where it says nothing, for the list has no such column: what is known of the key or card
/// stays as it is then, and a new one gets what an empty cell says.
struct ListedRights {
    var audiences: [String]?
    var scope: [String]?
    /// The outer nil: nothing is said; the inner one: without a first moment.
    var notBefore: Int64??
    /// The outer nil: nothing is said; the inner one: without an end.
    var expiresAt: Int64??
    var userVerification: Bool?
    /// Whether it says how the phone names its key, and what the key does.
    var namesKey = false
    var givesUse = false

    /// The rights that a line leaves of what is known.
    func rights(leaving known: Rights = Rights()) throws(AuthorityError) -> Rights {
        try Rights(audiences: audiences ?? known.audiences, scope: scope ?? known.scope, notBefore: notBefore ?? known.notBefore,
                   expiresAt: expiresAt ?? known.expiresAt).checked()
    }
}

extension EnrolmentRequest {
    /// What is left of this request where a line says nothing, and the key is known.
    func leaving(_ known: EnrolledKey?, where listed: ListedRights) throws(AuthorityError) -> EnrolmentRequest {
        var request = self
        request.rights = try listed.rights(leaving: known?.rights ?? Rights())
        request.userVerification = listed.userVerification ?? known?.userVerification ?? false
        guard let known else { return request }
        if !listed.namesKey, keyIdentifier == nil { request.keyIdentifier = known.keyIdentifier }
        if !listed.givesUse, !isUseSaid { request.use = known.use }
        return request
    }
}

extension EnrolledKey {
    /// Where, what and when.
    var rights: Rights { Rights(audiences: audiences, scope: scope, notBefore: notBefore, expiresAt: expiresAt) }
}

extension UIDOnlyCard {
    /// Where and when.
    var rights: Rights { Rights(audiences: audiences, notBefore: notBefore, expiresAt: expiresAt) }
}
