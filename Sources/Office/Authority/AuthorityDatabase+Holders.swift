import Credentials
import Storage

/// A ban and a suspension name a person. What the person holds would count again under another name.
extension AuthorityDatabase {
    static let holderStep = "CREATE INDEX token_by_key ON token (thumbprint);"

    /// Refuses a key that somebody else has or had, enrolled or in a token, who is banned or suspended.
    func refuseHolders(ofKey thumbprint: [UInt8], otherThan subject: String) throws(AuthorityError) {
        let query = try kept("SELECT subject FROM enrolled WHERE thumbprint = ?1 UNION ALL SELECT subject FROM token WHERE thumbprint = ?1")
        query.bind(thumbprint, at: 1)
        defer { query.reset() }
        while try query.next() { try refuse(holder: query.text(0), otherThan: subject) }
    }

    /// Refuses what is somebody else's who is banned or suspended.
    /// - Parameter holder: nil: nobody has it.
    func refuse(holder: String?, otherThan subject: String) throws(AuthorityError) {
        guard let holder, !holder.utf8.elementsEqual(subject.utf8) else { return }
        if try isTakenBack(.subject(holder)) { throw .holderTakenBack(holder, isBanned: true) }
        if try isTakenBack(.suspended(holder)) { throw .holderTakenBack(holder, isBanned: false) }
    }
}
