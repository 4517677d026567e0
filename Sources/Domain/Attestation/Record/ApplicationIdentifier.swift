import Encoding

/// Which apps a key belongs to, by the word of the phone's system (AttestationApplicationId of Android's key attestation): several where
/// they share a user of the system.
struct ApplicationIdentifier {
    /// Package names in UTF-8.
    let packages: [[UInt8]]
    /// SHA-256 of the certificates that sign them.
    let signers: [[UInt8]]

    /// Reads the whole structure; nil if it is malformed.
    init?(_ bytes: [UInt8]) {
        var file = DERReader(bytes)
        guard var outer = file.readSequence(), file.isAtEnd, let packageSet = outer.read(.set), let signerSet = outer.read(.set), outer.isAtEnd,
              let packages = Self.list(packageSet, Self.readPackage), let signers = Self.list(signerSet, Self.readSigner) else { return nil }
        self.packages = packages
        self.signers = signers
    }

    /// Whether these are the site's apps and no others, signed by the site's signers and nobody else.
    func fits(_ policy: AttestationPolicy) -> Bool {
        let applications = Set(policy.applications.map { Array($0.utf8) })
        return !packages.isEmpty && packages.allSatisfy(applications.contains) && !signers.isEmpty && signers.allSatisfy(policy.signers.contains)
    }

    private static func list(_ content: ArraySlice<UInt8>, _ read: (inout DERReader) -> [UInt8]?) -> [[UInt8]]? {
        var file = DERReader(content), list: [[UInt8]] = []
        while !file.isAtEnd {
            guard let one = read(&file) else { return nil }
            list.append(one)
        }
        return list
    }

    private static func readPackage(_ file: inout DERReader) -> [UInt8]? {
        guard var package = file.readSequence(), let name = package.read(.octetString), package.read(.integer) != nil, package.isAtEnd else { return nil }
        return Array(name)
    }

    private static func readSigner(_ file: inout DERReader) -> [UInt8]? { file.read(.octetString).map(Array.init) }
}
