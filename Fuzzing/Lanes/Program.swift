// with: Tests/LaneModel/*.swift
import Glibc

/// Random lives of lanes against an oracle and laws.
///
///     lanes STEPS SEED     so many steps, in lives with the seeds from SEED on
///
/// Steps that break a law are printed, as few as still break it.
@main
struct Program {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let steps = arguments.first.flatMap({ Int($0) }), let seed = arguments.last.flatMap({ UInt64($0) }) else {
            print("usage: lanes STEPS SEED")
            exit(2)
        }
        do {
            let sights = try LaneModel.run(steps, seed: seed)
            print("lanes: \(steps) steps, no law broken: \(sights.grants) grants, \(sights.states.count) states, longest pulse "
                + "\(sights.longestPulse) ms, at most \(sights.largest) values in a lane")
        } catch {
            print("lanes: \(error)")
            exit(1)
        }
    }
}
