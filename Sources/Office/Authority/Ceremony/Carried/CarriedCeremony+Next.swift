import Cryptography

/// Who is next in a ceremony.
extension CarriedCeremony {
    /// What somebody has to do.
    public enum Step: Hashable, Sendable {
        /// A holder makes a key.
        case makeKey(RepositoryRole, name: String)
        /// So many more must sign, of these: by the name that the office knows, else by the beginning of the key's identifier.
        case sign(RepositoryRole, version: Int64, more: Int, of: [String])
    }

    /// What is to be done before the office goes on, in order; nothing if it is its turn.
    public func next() throws(AuthorityError) -> [Step] {
        let made = try made()
        let missing = request.holders.filter { made[$0.name] == nil }.map { Step.makeKey($0.role, name: $0.name) }
        guard missing.isEmpty else { return missing }
        var steps: [Step] = []
        for draft in try drafts() { if let step = try step(draft) { steps.append(step) } }
        return steps
    }

    /// What came of it, read once: a medium may say something else the next time. Nil for as long as it is not the office's turn.
    public func result() throws(AuthorityError) -> CeremonyResult? {
        guard try next().isEmpty else { return nil }
        let drafts = try drafts()
        return CeremonyResult(request: request, signed: try drafts.map { draft throws(AuthorityError) in (draft, try signatures(of: draft)) }, made: try made())
    }

    /// A draft that somebody has signed.
    public struct Signed: Hashable, Sendable {
        public let role: RepositoryRole
        public let version: Int64
        /// Who has, by name.
        public let names: [String]
        /// Whether these are as many as must.
        public let isEnough: Bool
    }

    /// What was signed so far, of what lies here.
    func signed() throws(AuthorityError) -> [Signed] {
        var signed: [Signed] = []
        for draft in try drafts() {
            let names = try names(signatures(of: draft).map(\.keyIdentifier))
            if !names.isEmpty { signed.append(Signed(role: draft.role, version: draft.version, names: names, isEnough: try isSigned(draft))) }
        }
        return signed
    }

    /// Whether enough have signed a draft.
    public func isSigned(_ draft: Draft) throws(AuthorityError) -> Bool { try step(draft) == nil }

    private func step(_ draft: Draft) throws(AuthorityError) -> Step? {
        let signed = Set(try signatures(of: draft).map(\.keyIdentifier))
        var more = 0, waiting: [String] = []
        for judge in draft.judges {
            let wanted = judge.keys(of: draft.role), missing = wanted.threshold - signed.intersection(wanted.identifiers).count
            guard missing > 0 else { continue }
            more = max(more, missing)
            waiting += wanted.identifiers.filter { !signed.contains($0) && !waiting.contains($0) }
        }
        guard more > 0 else { return nil }
        return .sign(draft.role, version: draft.version, more: more, of: try names(waiting))
    }

    /// A draft of it, with the names by which this folder calls its keys: without them a person would compare identifiers of nobody.
    public func naming(_ judged: JudgedDraft) throws(AuthorityError) -> JudgedDraft {
        var judged = judged
        judged.carriedNames = try names()
        return judged
    }

    private func names() throws(AuthorityError) -> [String: String] {
        let made = try made().map { ($0.value.metadataIdentifier, $0.key) }
        return request.names.merging(made) { $1 }
    }

    private func names(_ identifiers: [String]) throws(AuthorityError) -> [String] {
        let names = try names()
        return identifiers.map { names[$0] ?? String($0.prefix(8)) }.sorted()
    }
}

/// What came of a ceremony.
public struct CeremonyResult {
    let request: CeremonyRequest
    let signed: [(draft: Draft, signatures: [DraftSignature])]
    /// The keys that were made, by the names of their holders.
    let made: [String: PublicKey]

    /// What was signed, root first.
    public var drafts: [Draft] { signed.map(\.draft) }
}
