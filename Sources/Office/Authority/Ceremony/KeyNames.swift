import Encoding

/// How a person calls keys: a public half that lies beside the person's own key lends the name of its file to the key.
enum KeyNames {
    private static let ending = ".pub"

    /// Names by identifier; what cannot be read has none, and no file lends one that is no name.
    static func beside(_ key: String) -> [String: String] {
        let folder = key.lastIndex(of: "/").map { String(key[...$0]) } ?? "."
        var names: [String: String] = [:]
        for file in (try? CarriedFolder(path: folder).names()) ?? [] where file.hasSuffix(ending) {
            guard let identifier = RepositoryRole.allCases.lazy.compactMap({ try? Authority.roleKey($0, at: "\(folder)/\(file)") }).first?.metadataIdentifier,
                  names[identifier] == nil, case let name = String(file.dropLast(ending.count)), NameRule.allows(name) else { continue }
            names[identifier] = name
        }
        return names
    }
}
