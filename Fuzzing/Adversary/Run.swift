import Credentials
import PhoneProtocol

/// What passed over the air.
struct Recording {
    var commands: [[UInt8]] = []
    var responses: [[UInt8]] = []
}

/// Everything that there is in one run.
final class Run {
    let town: Town
    /// Conversations of earlier.
    let past: Recording
    /// Site data, a set for each site.
    let trust: [Trust]
    var dice: Dice
    var phones: [Phone] = []
    var gates: [Turnstile] = []
    /// Who answers which gate.
    var partners: [Partner] = []
    /// Gates that nobody answers any more.
    var abandoned: Set<Int> = []
    var statements: [Statement] = []
    /// Ephemeral keys that were seen: x-coordinates.
    var points: Set<[UInt8]> = []
    /// What passed over the air in this run.
    var sent: [[UInt8]] = []
    var answered: [[UInt8]] = []
    var count = Count()
    /// Whether somebody wants to read what happens.
    private let logs: Bool

    init(_ town: Town, past: Recording = Recording(), seed: UInt64, logs: Bool = false) {
        self.town = town
        self.past = past
        trust = town.sites.map(Trust.init)
        dice = Dice(seed: seed)
        self.logs = logs
        count.runs = 1
    }

    func log(_ sentence: @autoclosure () -> String) {
        if logs { print("  " + sentence()) }
    }
}
