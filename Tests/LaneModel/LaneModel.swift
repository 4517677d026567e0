import Gate

/// Random lives of lanes, held against `LaneTrial`'s laws; a life that breaks one is made as short as it can be.
public enum LaneModel {
    /// Steps in one life of a lane: its rules and wiring are thrown anew for each.
    public static let life = 1000

    /// A life in which a law was broken.
    public struct Failure: Error, CustomStringConvertible {
        public let seed: UInt64
        public let rules: LaneRules
        /// As few steps as still break the law.
        public let steps: [LaneStep]
        public let violation: Violation

        public var description: String {
            "seed \(seed): \(violation)\n\(rules)\n" + steps.enumerated().map { "  \($0.offset + 1). \($0.element)" }.joined(separator: "\n")
        }
    }

    /// Goes through `count` steps in lives that follow from `seed`.
    public static func run(_ count: Int, seed: UInt64) throws(Failure) -> LaneSights {
        var sights = LaneSights()
        for number in 0..<UInt64((count + life - 1) / life) {
            try live(seed &+ number, &sights)
        }
        return sights
    }

    private static func live(_ seed: UInt64, _ sights: inout LaneSights) throws(Failure) {
        var dice = Dice(seed: seed)
        let rules = dice.rules()
        var trial = LaneTrial(rules: rules)
        var steps: [LaneStep] = []
        for _ in 0..<life {
            steps.append(dice.step(rules, after: steps.last?.event))
            do throws(Violation) {
                try trial.apply(steps[steps.count - 1])
            } catch {
                throw shrink(seed, rules, steps, error)
            }
        }
        sights.add(trial.sights)
        sights.largest = max(sights.largest, trial.size)
    }

    // Shrinking ------------------------------------------------------------------------------------

    private static func shrink(_ seed: UInt64, _ rules: LaneRules, _ steps: [LaneStep], _ violation: Violation) -> Failure {
        var shortest = (steps: steps, violation: violation)
        shorten(&shortest, rules)
        simplify(&shortest, rules)
        return Failure(seed: seed, rules: rules, steps: shortest.steps, violation: shortest.violation)
    }

    /// Delta debugging (Zeller and Hildebrandt 2002): leaves out ever smaller parts while the same law is broken.
    private static func shorten(_ shortest: inout (steps: [LaneStep], violation: Violation), _ rules: LaneRules) {
        var size = max(1, shortest.steps.count / 2)
        while true {
            var isShorter = false
            var start = 0
            while start < shortest.steps.count {
                var fewer = shortest.steps
                fewer.removeSubrange(start..<min(start + size, fewer.count))
                if let violation = broken(fewer, rules), violation.law == shortest.violation.law {
                    shortest = (fewer, violation)
                    isShorter = true
                } else {
                    start += size
                }
            }
            if size == 1, !isShorter { return }
            size = max(1, size / 2)
        }
    }

    /// Takes delays and lateness away where they do not matter.
    private static func simplify(_ shortest: inout (steps: [LaneStep], violation: Violation), _ rules: LaneRules) {
        for index in shortest.steps.indices where index < shortest.steps.count {
            for change in [{ $0.delay = 0 }, { $0.isLate = false }] as [(inout LaneStep) -> Void] {
                var simpler = shortest.steps
                change(&simpler[index])
                if let violation = broken(simpler, rules), violation.law == shortest.violation.law { shortest = (simpler, violation) }
            }
        }
    }

    /// The law that these steps break, at their end or before.
    public static func broken(_ steps: [LaneStep], _ rules: LaneRules) -> Violation? {
        var trial = LaneTrial(rules: rules)
        for step in steps {
            do throws(Violation) { try trial.apply(step) } catch { return error }
        }
        return nil
    }
}
