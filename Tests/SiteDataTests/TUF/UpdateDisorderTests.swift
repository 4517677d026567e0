import Encoding
import SeededNumbers
import SignedRepository
import Testing
@testable import SiteData

@Suite("An update keeps nothing that was not signed, whatever disk and server answer (S5)")
struct UpdateDisorderTests {
    /// A file, the right one more often than not; another one, damaged, or none.
    private func answer(_ right: [UInt8]?, _ all: [[UInt8]], _ chance: inout SeededNumbers) -> [UInt8]? {
        switch Int.random(in: 0..<20, using: &chance) {
        case 0: return all.randomElement(using: &chance)
        case 1:
            guard var bytes = right, !bytes.isEmpty else { return [0x7B] }
            let place = Int.random(in: 0..<bytes.count, using: &chance)
            bytes[place] ^= 1 << UInt8.random(in: 0..<7, using: &chance)
            return bytes
        case 2: return right.map { Array($0.prefix(Int.random(in: 0...$0.count, using: &chance))) }
        case 3: return nil
        default: return right
        }
    }

    @Test("Two hundred lives of a gate among wrong answers")
    func disorder() throws {
        let repository = try TUFRepository.withHistory()
        let all = repository.files.keys.sorted().compactMap { repository.files[$0] }
        let signed = Set(try all.map { try SignedMetadata($0).signedBytes })
        let paths = try ["people/full", "people/guest-1", "site/data", "people/x", "x"].map { try #require(TargetPath($0)) }
        var refreshed = 0, refused = 0
        for seed in 1...200 {
            var chance = SeededNumbers(seed: UInt64(seed))
            var folder: [RoleName: [UInt8]] = [.root: repository.firstRoot]
            var versions = TrustedVersions()
            for _ in 0..<3 {
                guard var update = try? Update(root: folder[.root] ?? [], startedAt: TUFRepository.now, floor: versions) else {
                    Issue.record("a root that was kept can be begun with")
                    return
                }
                var action = update.start()
                run: while true {
                    switch action {
                    case .load(let role, _): action = update.loaded(answer(folder[role], all, &chance))
                    case .fetch(let request):
                        let bytes = answer(repository.files[request.name], all, &chance)
                        action = bytes.map { update.fetched($0) } ?? update.notFetched([.missing, .slow, .endless].randomElement(using: &chance) ?? .slow)
                    case .keep(let role, let bytes, let forgotten):
                        // A signature may be written in capitals; what it signs may not.
                        #expect(signed.contains(try SignedMetadata(bytes).signedBytes))
                        if forgotten.isEmpty { for role in versions.roles { #expect(update.versions[role] >= versions[role]) } }
                        versions = update.versions
                        for other in forgotten { folder[other] = nil }
                        folder[role] = bytes
                        action = update.kept()
                    case .refreshed, .found, .notFound:
                        refreshed += 1
                        guard Int.random(in: 0..<4, using: &chance) > 0, let path = paths.randomElement(using: &chance) else { break run }
                        action = update.find(path)
                    case .refused:
                        refused += 1
                        break run
                    }
                }
            }
        }
        // Chance must have led to both ends.
        #expect(refreshed > 100 && refused > 100)
    }
}
