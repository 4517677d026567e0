import Cryptography
import Encoding

/// A ceremony in the folder that goes from hand to hand: what the office asks for, the public halves of keys that were made for it, and signatures. Each
/// file appears whole or not at all, so that whoever was interrupted does the same once more.
public struct CarriedCeremony {
    /// The folder.
    public let path: String
    let request: CeremonyRequest

    private static let file = "ceremony.json"
    private var folder: CarriedFolder { CarriedFolder(path: path) }

    /// The ceremony in a folder.
    public init(at path: String) throws(AuthorityError) {
        guard let request = try Self.request(at: path) else { throw .repository(.ceremonyMissing(path: path)) }
        (self.path, self.request) = (path, request)
    }

    private init(_ path: String, _ request: CeremonyRequest) { (self.path, self.request) = (path, request) }

    /// What is asked for in a folder; nil if nothing is.
    static func request(at path: String) throws(AuthorityError) -> CeremonyRequest? {
        guard let bytes = try CarriedFolder(path: path).read(file, limit: CeremonyRequest.longest) else { return nil }
        guard let request = CeremonyRequest(parsing: bytes) else { throw .repository(.notACeremony(path: "\(path)/\(file)")) }
        return request
    }

    /// Begins a ceremony in a folder, which is made if it is not there.
    static func begin(_ request: CeremonyRequest, at path: String) throws(AuthorityError) -> CarriedCeremony {
        let folder = CarriedFolder(path: path)
        try folder.make()
        try folder.write(file, request.bytes)
        return CarriedCeremony(path, request)
    }

    /// The name of the site.
    public var site: String { request.site }
    /// Whether no root was signed before: whose keys these are nobody has said but this folder.
    public var isFirst: Bool { request.root.map { $0.inForce == nil } ?? false }

    // Keys ----------------------------------------------------------------------------------------

    /// The keys that were made so far, by the names of their holders.
    func made() throws(AuthorityError) -> [String: PublicKey] {
        var keys: [String: PublicKey] = [:]
        for holder in request.holders {
            let name = "\(holder.name).pub"
            guard let text = try folder.read(name, limit: KeyFile.longest) else { continue }
            let path = "\(path)/\(name)", file: KeyFile
            do throws(KeyFileError) { file = try KeyFile(parsing: text) } catch { throw .keyFile(path: path, error) }
            guard file.role == holder.role.keyRole else { throw .wrongRole(path: path, found: file.role, wanted: holder.role.keyRole) }
            keys[holder.name] = file.publicKey
        }
        return keys
    }

    func write(publicHalf text: [UInt8], of name: String) throws(AuthorityError) { try folder.write("\(name).pub", text) }

    // Signatures ----------------------------------------------------------------------------------

    /// What shall be signed, root first; empty for as long as a key is missing.
    public func drafts() throws(AuthorityError) -> [Draft] {
        guard let drafts = try request.drafts(made()) else { throw .repository(.notACeremony(path: "\(path)/\(Self.file)")) }
        return drafts
    }

    /// The good signatures of a draft that lie here, each key once; of others, or damaged, there may be any number.
    public func signatures(of draft: Draft) throws(AuthorityError) -> [DraftSignature] {
        var signatures: [DraftSignature] = []
        for name in try folder.names() where Self.isSignature(name, of: draft.role) {
            guard let bytes = try? folder.read(name, limit: DraftSignature.longest), let signature = DraftSignature(parsing: bytes),
                  draft.isSigned(by: signature), !signatures.contains(where: { $0.keyIdentifier == signature.keyIdentifier }) else { continue }
            signatures.append(signature)
        }
        return signatures
    }

    private static func isSignature(_ name: String, of role: RepositoryRole) -> Bool { name.hasPrefix("\(role.rawValue)-") && name.hasSuffix(".sig") }

    func add(_ signature: DraftSignature, of draft: Draft) throws(AuthorityError) {
        try folder.write("\(draft.role.rawValue)-\(signature.keyIdentifier.prefix(16)).sig", signature.text)
    }

    /// Takes everything of it out of the folder, what is asked for last.
    func clear() throws(AuthorityError) {
        let signatures = try folder.names().filter { name in RepositoryRole.allCases.contains { Self.isSignature(name, of: $0) } }
        try folder.remove(signatures + request.holders.map { "\($0.name).pub" } + [Self.file])
    }
}

extension Draft {
    /// Whether it is a good signature, of this draft, by a key that counts.
    func isSigned(by signature: DraftSignature) -> Bool {
        guard signature.draft == identifier, let key = judges.lazy.compactMap({ $0.key(signature.keyIdentifier, of: self.role) }).first,
              signers.contains(signature.keyIdentifier), key.metadataIdentifier == signature.keyIdentifier else { return false }
        return key.verify(signature.bytes, over: MetadataFile.signedForm(signed))
    }
}

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
