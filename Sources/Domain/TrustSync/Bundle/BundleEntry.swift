/// An item of a bundle with what its reader found out about it: to work that out again takes as long as to read the item.
public struct BundleEntry: Sendable {
    /// What it says.
    public let item: BundleItem
    /// Which record it speaks of.
    public let key: RecordKey
    /// Of what is put: the record as it stands in the bundle, which is its one form.
    let form: ArraySlice<UInt8>
}
