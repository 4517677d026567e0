extension [EADItem] {
    /// The value of the item with this label; nil unless it is there once, is critical and has a value, as
    /// the profile wants it.
    func soleValue(_ label: Int) -> [UInt8]? {
        let found = filter { $0.label == label }
        guard found.count == 1, let item = found.first, item.isCritical else { return nil }
        return item.value
    }
}
