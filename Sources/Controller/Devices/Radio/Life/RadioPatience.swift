/// How long the radios wait for whom, in milliseconds.
struct RadioPatience: Hashable, Sendable {
    /// The bus may take so long to let us in and to say who has the name of bluetoothd.
    var join: Int64 = 5_000
    /// So often a bluetoothd that owes nothing is asked for a sign of life.
    var quiet: Int64 = 30_000
    /// One that owes an answer for so long is asked for a sign of life.
    var doubt: Int64 = 2_000
    /// One that owes an answer for so long, and has said nothing else since, is silent.
    var silent: Int64 = 5_000
}
