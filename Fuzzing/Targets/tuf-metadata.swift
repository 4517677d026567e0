import Encoding
@testable import SiteData

/// No input stops the reader of TUF metadata. What was signed is the same text however the file is written, and no file
/// is of two kinds.
func fuzz(_ input: [UInt8]) {
    guard let file = try? SignedMetadata(input) else { return }
    let signed = JSON.object(file.signed.object)
    guard let again = try? JSON.parse(signed.canonical), again.signedForm == file.signedBytes else {
        preconditionFailure("white space and order are not signed")
    }
    // Control characters stand in the signed form as they are, which JSON does not allow.
    if !file.signedBytes.contains(where: { $0 < 0x20 }) {
        precondition((try? JSON.parse(file.signedBytes))?.signedForm == file.signedBytes, "there is one signed form")
    }
    read(file)
}

private func read(_ file: SignedMetadata) {
    var kinds = 0
    if let root = try? RootMetadata(file) {
        kinds += 1
        precondition(root.signers(of: .root).count(file).signed <= file.signatures.count, "nobody signs twice")
    }
    if (try? TimestampMetadata(file)) != nil { kinds += 1 }
    if let snapshot = try? SnapshotMetadata(file) {
        kinds += 1
        for (role, listed) in snapshot.roles {
            precondition(snapshot.file(of: role) == listed, "a role's file has one name")
            precondition(!role.fileName.contains("/"), "every role's file lies in the one folder")
        }
    }
    if let targets = try? TargetsMetadata(file) {
        kinds += 1
        for path in targets.targets.keys {
            guard let path = TargetPath(path.text) else { continue }
            for delegation in targets.delegations { _ = delegation.covers(path) }
            let name = path.fileName(prefix: targets.target(path)?.hashes.prefix)
            precondition(!name.split(separator: "/", omittingEmptySubsequences: false).contains { ["", ".", ".."].contains($0) },
                         "no target lies elsewhere")
        }
    }
    precondition(kinds <= 1, "a file has one kind")
}
