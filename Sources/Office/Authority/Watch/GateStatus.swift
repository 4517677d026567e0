import Encoding

/// What a gate says of its site data and its journal: the parts of `tapstile status --json` that only grow.
struct GateStatus {
    /// The site data in use.
    struct SiteData {
        /// Within which versions count; 0 where there are no epochs.
        let epoch: Int64
        let version: Int64
        /// How many the gate has applied.
        let generation: Int64
        /// When they were issued, UNIX seconds.
        let issued: Int64
        /// The SHA-256 of the body, or the digest of the state; nil: an older gate does not say it.
        let digest: [UInt8]?
        /// What the gate itself says of two offices.
        let isForked: Bool
    }

    let site: String
    let gate: String
    /// Nil if it has none.
    let data: SiteData?
    let journal: JournalEnd
    /// It says that what its repository signed is over.
    let takesNothingNew: Bool

    /// Nil for anything else.
    init?(parsing bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes), let site = json["site"]?.string, let gate = json["gate"]?.string,
              (1...128).contains(gate.utf8.count), let trust = json["trust"],
              let sequence = json["journal"]?["sequence"]?.integer, sequence >= 0,
              let head = (json["journal"]?["head"]?.string).flatMap({ try? Hex.decode($0) }) else { return nil }
        self.site = site
        self.gate = gate
        takesNothingNew = json["sync"]?["warning"]?["code"]?.string == "sync-ended"
        journal = JournalEnd(sequence: UInt64(sequence), hash: head)
        guard let version = trust["version"]?.integer else {
            data = nil
            return
        }
        guard let generation = trust["generation"]?.integer, let issued = trust["issued"]?.string.flatMap(UTCText.read) else { return nil }
        data = SiteData(epoch: trust["epoch"]?.integer ?? 0, version: version, generation: generation, issued: issued / 1000,
                        digest: trust["origin"]?.string == "site-file" ? nil : trust["digest"]?.string.flatMap { try? Hex.decode($0) }, isForked: trust["fork"] != nil)
    }
}
