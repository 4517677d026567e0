// with: Tests/SignedRepository/TUFKey.swift
// with: Tests/SignedRepository/TUFRole.swift
// with: Tests/SignedRepository/TUFRepository.swift
import Encoding
@testable import SiteData

/// A gate's client of a TUF repository whose disk and server answer what the input says: the right file, another one, a
/// damaged one, none. Nothing stops it; it keeps nothing but what was signed; versions go back only where root replaced keys.
func fuzz(_ input: [UInt8]) {
    var script = input[...]
    var gate = Gate()
    while !script.isEmpty, gate.runs < 3 { gate.run(&script) }
}

/// Made once.
private let repository: TUFRepository = {
    do {
        return try TUFRepository.withHistory()
    } catch {
        preconditionFailure("the repository is good: \(error)")
    }
}()

private let names = repository.files.keys.sorted()
private let signed = Set(repository.files.values.compactMap { try? SignedMetadata($0).signedBytes })
private let paths = ["people/full", "people/guest-1", "site/data", "people/x", "x"].compactMap { TargetPath($0) }

private struct Gate {
    var folder: [RoleName: [UInt8]] = [.root: repository.firstRoot]
    var versions = TrustedVersions()
    var runs = 0

    mutating func run(_ script: inout ArraySlice<UInt8>) {
        runs += 1
        guard var update = try? Update(root: folder[.root] ?? [], startedAt: TUFRepository.now, floor: versions) else {
            preconditionFailure("a root that was kept can be begun with")
        }
        var action = update.start()
        while true {
            switch action {
            case .load(let role, _): action = update.loaded(answer(folder[role], &script))
            case .fetch(let request):
                if let bytes = answer(repository.files[request.name], &script) {
                    action = update.fetched(bytes)
                } else {
                    action = update.notFetched([.missing, .slow, .endless, .unavailable("away")][Int(script.popFirst() ?? 0) & 3])
                }
            case .keep(let role, let bytes, let forgotten):
                keep(role, bytes, forgotten, update.versions)
                action = update.kept()
            case .refreshed, .found, .notFound:
                guard let choice = script.popFirst(), Int(choice) < paths.count else { return }
                action = update.find(paths[Int(choice)])
            case .refused:
                return
            }
        }
    }

    private mutating func keep(_ role: RoleName, _ bytes: [UInt8], _ forgotten: [RoleName], _ next: TrustedVersions) {
        guard let file = try? SignedMetadata(bytes), signed.contains(file.signedBytes) else {
            preconditionFailure("nothing is kept that was not signed")
        }
        if forgotten.isEmpty {
            precondition(versions.roles.allSatisfy { next[$0] >= versions[$0] }, "no version goes back")
        } else {
            precondition(role == .root && next.roles == [.root], "only a root forgets")
        }
        versions = next
        for other in forgotten { folder[other] = nil }
        folder[role] = bytes
    }

    /// The right file for as long as the script says nothing.
    private func answer(_ right: [UInt8]?, _ script: inout ArraySlice<UInt8>) -> [UInt8]? {
        switch script.popFirst() ?? 0 {
        case 1: return nil
        case 2: return repository.files[names[Int(script.popFirst() ?? 0) % names.count]]
        case 3: return right.map { Array($0.prefix(Int(script.popFirst() ?? 0) * 8)) }
        case 4:
            guard var bytes = right, !bytes.isEmpty else { return [] }
            let place = Int(script.popFirst() ?? 0) << 8 | Int(script.popFirst() ?? 0)
            bytes[place % bytes.count] = script.popFirst() ?? 0
            return bytes
        case 5:
            let count = Int(script.popFirst() ?? 0)
            let bytes = Array(script.prefix(count))
            script = script.dropFirst(count)
            return bytes
        default: return right
        }
    }
}
