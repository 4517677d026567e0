/// How long a walk test gives its steps, in milliseconds.
struct WalkTiming: Equatable, Sendable {
    /// A relay is energised.
    var relay: Int64 = 500
    /// A light is on: long enough to look for it.
    var light: Int64 = 1000
    /// A switched line is the other way.
    var output: Int64 = 500
    /// Between two steps.
    var gap: Int64 = 300
    /// An input is waited for.
    var input: Int64 = 20_000
    /// Nobody has asked how far it is: whoever began it has gone.
    var patience: Int64 = 5000
}
