import Authority
import Encoding

extension Authority {
    /// What to say of people whose names are easily taken for this one.
    func warnings(ofNamesLike subject: String) throws(AuthorityError) -> [String] {
        try namesLike(subject).map { RightsWarning.alike($0).description }
    }

    /// The same as a fact; none where there is nobody.
    func factsOfNames(like subject: String) throws(AuthorityError) -> [(String, JSON)] {
        let warnings = try warnings(ofNamesLike: subject)
        return warnings.isEmpty ? [] : [("warnings", ShownSome(warnings).json)]
    }
}
