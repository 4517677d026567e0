/// The chain of roots (TUF specification, 5.2 and 5.3).
extension Update {
    static func trustedRoot(_ bytes: [UInt8]) throws(UpdateRefusal) -> RootMetadata {
        do throws(MetadataFault) {
            let file = try SignedMetadata(bytes)
            let root = try RootMetadata(file)
            if root.signers(of: .root).count(file).isReached { return root }
        } catch {
            throw UpdateRefusal(.root, .badTrustedRoot(error))
        }
        throw UpdateRefusal(.root, .badTrustedRoot(nil))
    }

    mutating func askForRoot() throws(UpdateRefusal) -> UpdateAction {
        // There is no version after the last number.
        guard root.header.version < .max else { return try endRoots() }
        return ask(.root, RoleName.root.fileName(version: root.header.version + 1), limit: limits.root)
    }

    mutating func acceptRoot(_ bytes: [UInt8]) throws(UpdateRefusal) -> UpdateAction {
        guard newRoots < limits.newRoots else { throw UpdateRefusal(.root, .tooManyRoots(limit: limits.newRoots)) }
        let next = try successor(bytes)
        let isRotated = root.hasKeys(of: .timestamp, replacedIn: next) || root.hasKeys(of: .snapshot, replacedIn: next)
        let areTargetsRotated = root.hasKeys(of: .targets, replacedIn: next)
        newRoots += 1
        root = next
        if isRotated { forget() } else if areTargetsRotated { versions.forgetTargets() }
        versions.raise(.root, to: next.header.version)
        // The snapshot that was kept lists what the old keys of targets have counted to.
        return keep(.root, .root, bytes, forgetting: isRotated ? [.timestamp, .snapshot] : areTargetsRotated ? [.snapshot] : [])
    }

    /// The root after this one: signed as this one and as it demands itself, and the very next.
    private func successor(_ bytes: [UInt8]) throws(UpdateRefusal) -> RootMetadata {
        let file = try Self.parsed(bytes, .root)
        let old = root.signers(of: .root).count(file)
        guard old.isReached else { throw UpdateRefusal(.root, .rootNotContinued(old)) }
        let next: RootMetadata = try Self.body(file, .root)
        let new = next.signers(of: .root).count(file)
        guard new.isReached else { throw UpdateRefusal(.root, .rootNotSelfSigned(new)) }
        let expected = root.header.version + 1
        guard next.header.version == expected else {
            throw UpdateRefusal(.root, .rootSkipped(found: next.header.version, expected: expected))
        }
        return next
    }

    /// Whoever had the keys that were replaced may have counted as far as there are numbers: honest ones must count again
    /// (TUF specification, 5.3.11).
    private mutating func forget() {
        hasForgotten = true
        versions.forgetAllButRoot()
    }

    /// This root is the newest.
    mutating func endRoots() throws(UpdateRefusal) -> UpdateAction {
        try checkRollback(.root, says: .root, root.header.version)
        try checkTimesOfNewestRoot()
        return hasForgotten ? askForTimestamp(nil, nil) : recall(.timestamp, .timestamp)
    }
}
