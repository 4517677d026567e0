import Credentials
import Encoding
import SiteData
import SiteRules

/// No input stops the reader of bundles, whole or of changes. In pieces of any size it is read alike; what is accepted is in order, and
/// the writer makes the same bytes of it.
func fuzz(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let body = Array(input.dropFirst())
    for expectation in expectations {
        let whole = try? read(body, expectation, pieces: max(1, body.count))
        let pieces = try? read(body, expectation, pieces: 1 + Int(first & 63))
        precondition(whole == pieces, "pieces make no difference")
        if let whole { check(whole, body) }
    }
}

private let ceiling = Ceiling(
    commands: ["tokn"], audiences: ["tapstile:s"], groups: nil, longest: 1000, uidOnlyCards: true, userVerification: false)

private let expectations: [BundleExpectation] = {
    let state = SignedState(epoch: 1, version: 3, digest: [UInt8](repeating: 1, count: StateSum.digestLength))
    return [BundleExpectation(site: "s", epoch: 1)] + [nil, 2].map {
        BundleExpectation(site: "s", state: state, having: $0, ceiling: ceiling, issuedAt: 1)
    }
}()

private struct Contents: Equatable {
    let header: BundleHeader
    let items: [BundleItem]
}

private func read(_ file: [UInt8], _ expectation: BundleExpectation, pieces: Int) throws -> Contents {
    var reader = BundleReader(expecting: expectation)
    var items: [BundleItem] = []
    for start in stride(from: 0, to: file.count, by: pieces) {
        items += try reader.feed(Array(file[start..<min(start + pieces, file.count)]))
    }
    return Contents(header: try reader.finish(), items: items)
}

private func check(_ contents: Contents, _ file: [UInt8]) {
    let keys = contents.items.map(\.key)
    precondition(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }, "keys ascend")
    var writer = BundleWriter(contents.header, ceiling: contents.header.part == .people ? ceiling : nil, issuedAt: 1)
    var items: [UInt8] = []
    for item in contents.items {
        guard let bytes = try? writer.add(item) else { preconditionFailure("what is read can be written") }
        items += bytes
    }
    precondition((try? writer.finish()) != nil, "the counts are the header's")
    // The header may have labels of later versions, which are not kept.
    precondition(file.suffix(items.count) == items[...], "an item has one form")
}
