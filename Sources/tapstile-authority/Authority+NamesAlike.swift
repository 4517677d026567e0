import Authority
import Encoding

extension Authority {
    /// What to say of people whose names are easily taken for this one.
    func warnings(ofNamesLike subject: String) throws(AuthorityError) -> [String] {
        try namesLike(subject).map { "name-alike: '\($0)' is known here, too, and is somebody else. Look whom you mean." }
    }

    /// The same as a fact; none where there is nobody.
    func factsOfNames(like subject: String) throws(AuthorityError) -> [(String, JSON)] {
        let warnings = try warnings(ofNamesLike: subject)
        return warnings.isEmpty ? [] : [("warnings", ToldSome(warnings).json)]
    }
}
