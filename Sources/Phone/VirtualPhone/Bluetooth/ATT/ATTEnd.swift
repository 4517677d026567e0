/// How a procedure ended.
public enum ATTEnd: Hashable, Sendable {
    /// PDUs may be so long.
    case agreed(mtu: Int)
    /// The value of the characteristic has this handle.
    case found(UInt16)
    /// The gate has the value.
    case written
    /// The value, to its end.
    case value([UInt8])
    /// It did not come to its end.
    case failed(ATTFailure)
}
