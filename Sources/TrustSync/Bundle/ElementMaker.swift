import Credentials
import Cryptography
import Encoding

/// Makes the elements of many records one after another, faster than `StateElement` makes each.
public final class ElementMaker {
    private let streams = HashedKeyStream(label: StateElement.label, count: StateElement.length)

    /// A maker for one thread.
    public init() {}

    /// Hands out the element of what an entry puts; what is gone has none.
    fileprivate func withElement(of entry: BundleEntry, _ body: (UnsafeRawBufferPointer) -> Void) {
        guard case .put(let record) = entry.item else { return }
        if case .rule(.membership(let membership)) = record {
            let person = entry.key.bytes.prefix(PersonDigest.length)
            streams.withStream(of: StateElement.form(group: membership.group, person: Array(person))[...], body)
        } else {
            streams.withStream(of: entry.form, body)
        }
    }
}

extension StateSum {
    /// Counts in the record that an entry puts.
    public mutating func add(_ entry: BundleEntry, by maker: ElementMaker) {
        maker.withElement(of: entry) { add(element: $0) }
    }
}
