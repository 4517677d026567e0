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
