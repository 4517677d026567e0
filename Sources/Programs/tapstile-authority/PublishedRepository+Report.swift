import Authority
import Encoding

extension PublishedRepository {
    /// What was published, for people and programs.
    /// - Parameter choice: which counted of the repository and an office that was restored from an old backup.
    func report(_ headline: String, _ choice: RestoredOffice.Choice? = nil) -> Report {
        Report(headline, facts(of: choice) + [
            ("repo", .string(path)), ("version", .integer(state.version)), ("epoch", .integer(state.epoch)),
            ("changes", changes.map { JSON($0) } ?? .null), ("full", .bool(isFull)),
            ("signed", .array(changed.map { .string($0.rawValue) })),
            ("versions", object { versions[$0].map { .integer($0) } }), ("expires", object { expires[$0].map { text($0) } }),
            ("bytesForAGate", JSON(bytes)),
            ("stick", stick.map { .string($0.path) } ?? .null), ("stickExpires", text(stick?.expires)), ("warnings", warnings.isEmpty ? .null : .array(warnings.map(\.json)))
        ])
    }

    /// What becomes of the difference: by the office's word gates let in whom the repository shut out, by the repository's the office learns of it.
    private func facts(of choice: RestoredOffice.Choice?) -> [(String, JSON)] {
        guard let restored, let choice else { return [] }
        let (letIn, shutOut) = choice == .office ? (restored.letIn, restored.shutOut) : (restored.shutOut, restored.letIn)
        let lists = [("letIn", letIn), ("shutOut", shutOut), ("decidedOtherwise", restored.decisions)]
        return lists.map { ($0, $1.count == 0 ? .null : .array($1.shown.map(JSON.string))) }
    }

    private func object(_ value: (RepositoryRole) -> JSON?) -> JSON {
        .object(JSONObject(RepositoryRole.allCases.compactMap { role in value(role).map { (role.rawValue, $0) } }))
    }
}

extension PublishedRepository.Warning {
    fileprivate var json: JSON {
        let sentence = switch self {
        case .repositoryAhead(let role):
            "The repository had a newer \(role.rawValue) than this authority knows of, as after an old backup: it goes on above it."
        case .siteChanged: "Issuers, gates or rules have changed since targets were signed: 'ceremony' or 'draft targets'."
        case .ahead(let role, let issued):
            "What \(role.rawValue) signed says that it was signed on \(UTCText.make(seconds: issued)), which has not come yet: gates refuse it. "
                + "'ceremony' or 'draft \(role.rawValue)'."
        case .expires(let role, let at): "What \(role.rawValue) signed is over at \(UTCText.make(seconds: at)): 'ceremony' or 'draft \(role.rawValue)'."
        case .heldBack(let held): held.message
        case .moreHeldBack(let count): "\(count) more are not published."
        case .tooManyGroups(let subject): AuthorityError.tooManyGroups(subject).message
        case .issuerWithoutCeiling(let name):
            "The issuer '\(name)' is not published: the rules say with [[issuer]] what its tokens may say, and targets sign it."
        case .queue(let issuer, let path, let fault): fault.message(of: issuer, path)
        case .exposed(let path, let exposure): RepositoryError.exposed(path: path, exposure).message
        case .secret(let path):
            "\(path) is a private key, a database or a way into an office, in what everybody gets. Take it away, and count the keys as stolen."
        case .stranger(let path): "\(path) was put there by somebody else: nothing that is published is called so. It stays; look who it was."
        }
        return .string("\(code): \(sentence)")
    }
}
