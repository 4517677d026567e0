import SiteData

extension MetadataHeader {
    /// From when on an office signs this anew: it does when half of the time is over for which it counts. UNIX seconds.
    var renewal: Int64? { issued.map { $0 + (expires - $0) / 2 } }
}
