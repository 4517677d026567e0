/// The files that make what a phone has from one site.
public struct MembershipFiles: Sendable {
    /// The phone's private key for it.
    public let keyPath: String
    /// The site's `gates.phone`.
    public let gatesPath: String
    /// What is shown there.
    public let files: PresentedFiles

    public init(keyPath: String, gatesPath: String, presenting files: PresentedFiles) {
        self.keyPath = keyPath
        self.gatesPath = gatesPath
        self.files = files
    }

    /// The form in which one can be written.
    public static let form = "key=FILE,gates=FILE,token=FILE"

    /// Reads `form`; in the place of `token` may be `reference` (the token by reference), `ccs` or `enrolled-kid`,
    /// and with those two also `token` (beside it). nil for anything else.
    public init?(_ text: String) {
        var given: [String: String] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard halves.count == 2, !halves[1].isEmpty, given.updateValue(halves[1], forKey: halves[0]) == nil else { return nil }
        }
        guard let key = given.removeValue(forKey: "key"), let gates = given.removeValue(forKey: "gates"),
              let files = Self.files(given) else { return nil }
        self.init(keyPath: key, gatesPath: gates, presenting: files)
    }

    private static func files(_ given: [String: String]) -> PresentedFiles? {
        switch (given["ccs"], given["enrolled-kid"], given["reference"], given["token"]) {
        case (let path?, nil, nil, let token) where given.count == (token == nil ? 1 : 2): .claims(path: path, token: token)
        case (nil, let path?, nil, let token) where given.count == (token == nil ? 1 : 2): .keyIdentifier(path: path, token: token)
        case (nil, nil, let path?, nil) where given.count == 1: .tokenReference(path: path)
        case (nil, nil, nil, let path?) where given.count == 1: .token(path: path)
        case (_, _, _, _): nil
        }
    }
}
