import Cryptography
import Encoding
import Files
import Glibc
import Service
import SignedRepository
import SiteData

/// The site's repository, with the bundles of `BundleFiles`, as a stick has it. Its keys are those of tests and worth nothing.
struct SiteRepository {
    let bundles: BundleFiles
    /// With no target that counts.
    private let begun: TUFRepository

    init(_ bundles: BundleFiles) throws {
        var repository = try TUFRepository()
        for role in ["root", "timestamp", "snapshot", "targets", "people"] {
            repository[role].body.set(["x-tapstile-issued"], .string(UTCText.make(seconds: UnixTime.now - 10)))
            repository[role].expire(at: UnixTime.now + 10 * 365 * 86400)
        }
        try repository.publishRoot()
        repository.targets = [:]
        self.bundles = bundles
        begun = repository
    }

    /// Whom gates believe.
    var root: [UInt8] { begun.firstRoot }

    /// Writes it with a version of people to which nothing leads but the whole: 1 to `BundleFiles.versions`.
    func write(version: UInt64, to folder: String) throws {
        var repository = begun
        try repository.addTarget("site/data", SmallFile.read("\(bundles.folder)/site"), to: "targets")
        try repository.write(to: folder)
        let full = try assemble(version, in: folder)
        repository.listTarget("people/full", length: full.length, hashes: ["sha256": .string(Hex.encode(full.hash))], in: "people")
        repository["people"].body.set(["x-tapstile-state"], try bundles.state(ofWhole: version).json)
        for role in ["people", "targets", "snapshot", "timestamp"] { repository[role].version = Int64(version) + 1 }
        try repository.publish("people", "targets", "snapshot", "timestamp")
        try repository.write(to: folder)
    }

    private func assemble(_ version: UInt64, in folder: String) throws -> (hash: [UInt8], length: Int) {
        let path = "\(folder)/targets/people/full"
        let (own, head) = (try SmallFile.read("\(bundles.folder)/head-1"), try SmallFile.read("\(bundles.folder)/head-\(version)"))
        var (digest, length) = (HashStream.sha256, head.count)
        digest.update(head)
        let file = try OutputFile(path)
        try file.write(head)
        try file.append(fileAt: "\(bundles.folder)/full", from: own.count) { piece in
            digest.update(piece)
            length += piece.count
        }
        let hash = digest.finish()
        guard rename(path, "\(folder)/targets/\(TUFRepository.fileName(of: "people/full", hash: hash))") == 0 else { throw BenchError("cannot rename \(path)") }
        return (hash, length)
    }
}
