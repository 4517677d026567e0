/// A phone's answer on the air.
struct AirReply: Equatable {
    let frame: AirFrame
    /// What the phone computed before it answered, beyond the shortest pause between two frames.
    var computing: Int64 = 0
}
