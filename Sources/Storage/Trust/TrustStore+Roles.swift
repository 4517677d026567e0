import TrustSync

extension TrustStore {
    /// The versions of the repository's roles below which nothing is taken, whatever has become of the folder of their files.
    public var trustedVersions: TrustedVersions { current.withLock { $0.floor?.roles ?? TrustedVersions() } }

    /// Remembers other versions. They are on the disk when it returns.
    public func keep(_ versions: TrustedVersions) throws(StorageError) {
        try importing.withLock { (_) throws(StorageError) in
            try floorFile.lock()
            defer { floorFile.unlock() }
            let next = TrustFloor.with(roles: versions, after: current.withLock { $0.floor })
            try floorFile.write(next.encoded, synced: true)
            current.withLock { current in
                current.floor = next
                current.floorFailure = nil
            }
        }
    }
}
