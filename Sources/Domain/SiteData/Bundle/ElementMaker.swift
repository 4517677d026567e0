import Credentials
import Cryptography
import Encoding

/// Makes the elements of many records one after another, faster than `StateElement` makes each.
public final class ElementMaker {
    private let streams = HashedKeyStream(label: StateElement.label, count: StateElement.length)

    /// A maker for one thread.
    public init() {}

    /// The element of what an entry puts, to be kept.
    public func element(of entry: BundleEntry, _ record: PublicationRecord) -> StateElement {
        withElement(of: entry, record) { StateElement(bytes: Array($0)) }
    }

    /// Hands out the element of what an entry puts.
    fileprivate func withElement<Result>(of entry: BundleEntry, _ record: PublicationRecord, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if case .rule(.membership(let membership)) = record {
            let person = entry.key.bytes.prefix(PersonDigest.length)
            return streams.withStream(of: StateElement.form(group: membership.group, person: Array(person))[...], body)
        }
        return streams.withStream(of: entry.form, body)
    }
}

extension StateSum {
    /// Counts in the record that an entry puts; what is gone adds nothing.
    public mutating func add(_ entry: BundleEntry, by maker: ElementMaker) {
        guard case .put(let record) = entry.item else { return }
        maker.withElement(of: entry, record) { add(element: $0) }
    }
}
