import SiteData
import Threads

extension TrustStore {
    /// The way back from a time that was never right: forgets every time of issue that lies ahead of `now`,
    /// so that the clock is not put there again at the next start. Site data that were issued ahead of it go
    /// with it: set aside, and absent until a fresh import. Their version is not forgotten (no rollback).
    /// - Parameter now: UNIX seconds, which somebody vouches for.
    /// - Returns: the name under which site data from the future were set aside; nil: there were none.
    public func resetFloor(now: Int64) throws(StorageError) -> String? {
        try importing.withLock { (_) throws(StorageError) in
            try floorFile.lock()
            defer { floorFile.unlock() }
            let (snapshot, floor) = current.withLock { ($0.snapshot, $0.floor) }
            let (latest, overflow) = now.addingReportingOverflow(SitePublication.longestIssuedAhead)
            // A site's file says nothing about the time.
            let isAhead = snapshot.map {
                !overflow && $0.publication.origin != .siteFile && $0.publication.issuedAt > latest
            } ?? false
            if isAhead {
                try setAside(snapshot, as: "future", because: StorageError(
                    .noSiteData, "The site data were issued in the future and are set aside; import a fresh publication."))
            }
            guard let floor else { return nil }
            let inUse = isAhead || snapshot?.publication.origin == .siteFile ? nil : snapshot?.publication.issuedAt
            let next = floor.issued(notAfter: max(now, inUse ?? now))
            try floorFile.write(next.encoded, synced: true)
            current.withLock { current in
                current.floor = next
                current.floorFailure = nil
            }
            return isAhead ? status.setAside : nil
        }
    }
}
