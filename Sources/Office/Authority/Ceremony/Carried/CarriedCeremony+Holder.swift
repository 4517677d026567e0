import Cryptography

/// What the holder of a key does in a ceremony. Nothing here needs an authority.
extension CarriedCeremony {
    /// A key whose public half came into the folder.
    public struct BroughtKey: Hashable, Sendable {
        public let role: RepositoryRole
        public let name: String
        /// What its holder writes down: others see it when they sign.
        public let keyIdentifier: String
    }

    /// Makes the key of a holder who is waited for, and brings its public half; of one that was made already the public half alone, if it is not there.
    /// Whose it is says the name of the file.
    /// - Returns: nil if the ceremony has it, or needs none of this one.
    public func bringKey(at path: String) throws(AuthorityError) -> BroughtKey? {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let place = path.hasSuffix("/\(file)") ? String(path.dropLast(file.count)) : "."
        guard try RepositoryFolder.absolute(place) != RepositoryFolder.absolute(self.path) else { throw .repository(.keyCarried(path: path)) }
        let name = file.hasSuffix(".key") ? String(file.dropLast(4)) : file
        let holder = request.holders.first { $0.name == name }
        let known = try made()[name]
        guard RepositoryFolder.exists(path) else {
            guard let holder else { throw .repository(.notAwaited(path: path, names: try awaited())) }
            // A second key of one holder would be nobody's any more.
            guard known == nil else { throw .repository(.keyElsewhere(path: path, name: name)) }
            _ = try Authority.makeRoleKey(holder.role, at: path)
            return try bring(holder, path)
        }
        guard let holder else { return nil }
        guard let known else { return try bring(holder, path) }
        guard try AuthorityFolder.key(at: path, role: holder.role.keyRole).publicKey == known else { throw .repository(.otherKey(path: path, name: name)) }
        return nil
    }

    private func bring(_ holder: CeremonyHolder, _ path: String) throws(AuthorityError) -> BroughtKey {
        let file = try AuthorityFolder.key(at: path, role: holder.role.keyRole)
        guard file.signingKey != nil else { throw .keyFile(path: path, .wrongHalf) }
        let text: [UInt8]
        do throws(CryptographyError) { text = try file.publicFile.text() } catch { throw .cryptography(error) }
        try write(publicHalf: text, of: holder.name)
        return BroughtKey(role: holder.role, name: holder.name, keyIdentifier: file.publicKey.metadataIdentifier)
    }

    /// Whose keys are not made yet.
    private func awaited() throws(AuthorityError) -> [String] {
        let made = try made()
        return request.holders.map(\.name).filter { made[$0] == nil }
    }

    /// What the holder of this key is to sign now, each with what is known of what it changes: what it has not signed, and not enough others have.
    /// - Throws: `stranger` if its signature counts for nothing that is asked for.
    public func toSign(withKeyAt path: String, roots: [String]) throws(AuthorityError) -> [JudgedDraft] {
        let drafts = try drafts()
        guard !drafts.isEmpty else { return [] }
        let key = try AuthorityFolder.anyKey(at: path)
        guard let wanted = drafts.first(where: { $0.role.keyRole == key.role && $0.signers.contains(key.publicKey.metadataIdentifier) }) else {
            throw .repository(.stranger(keyIdentifier: key.publicKey.metadataIdentifier))
        }
        let hasSigned = try signatures(of: wanted).contains { $0.keyIdentifier == key.publicKey.metadataIdentifier }
        let isSigned = try isSigned(wanted)
        return try hasSigned || isSigned ? [] : [naming(Authority.judge(wanted, forKeyAt: path, roots: roots))]
    }

    /// Signs a draft of the ceremony.
    public func sign(_ judged: JudgedDraft, withKeyAt path: String) throws(AuthorityError) -> DraftSignature {
        let signature = try Authority.sign(judged, withKeyAt: path)
        try add(signature, of: judged.draft)
        return signature
    }
}
