// with: Sources/Phone/VirtualPhone/Exchange/!(PhoneCard).swift
// with: Sources/Controller/Tap/@(Candidate|Holder|CardIdentification|VerificationResult+Reason|Identification|Identifier|PeerCredential+Decoy).swift
import Glibc

/// The random adversary between phones and gates.
///
///     adversary RUNS SEED      runs with the seeds from SEED on
///     adversary replay SEED    one run, move by move
@main
struct Program {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let town = try Town()
        let past = record(town)
        guard arguments.count == 2, let last = arguments.last, let seed = UInt64(last), let first = arguments.first else {
            print("usage: adversary RUNS SEED | adversary replay SEED")
            exit(2)
        }
        guard let runs = UInt64(first) else {
            guard let law = failure(town, past, seed, logs: true) else { return print("seed \(seed): every law held") }
            print("seed \(seed): \(law)")
            exit(1)
        }
        exit(play(town, past, seed, runs) ? 0 : 1)
    }

    private static func play(_ town: Town, _ past: Recording, _ seed: UInt64, _ runs: UInt64) -> Bool {
        var count = Count()
        for number in 0..<runs {
            let run = Run(town, past: past, seed: seed &+ number)
            if let law = failure(run) {
                print("run \(number): \(law)\n    Fuzzing/run adversary replay \(seed &+ number)")
                return false
            }
            count += run.count
        }
        print(count.line)
        // An adversary that lets nobody through would prove nothing.
        let isLively = count.grants * 4 >= count.runs && count.outcomes * 4 >= count.runs && count.proofs > count.grants
            && count.references > 0
        if !isLively { print("the adversary let too few conversations through for its laws to mean anything") }
        return isLively
    }

    private static func failure(_ run: Run) -> String? {
        do {
            try run.play()
            return nil
        } catch let broken as Broken {
            return broken.law.rawValue
        } catch {
            return "\(error)"
        }
    }

    private static func failure(_ town: Town, _ past: Recording, _ seed: UInt64, logs: Bool) -> String? {
        failure(Run(town, past: past, seed: seed, logs: logs))
    }

    /// Conversations of yesterday, for the adversary to play again.
    private static func record(_ town: Town) -> Recording {
        var past = Recording()
        for seed in 0..<24 {
            let run = Run(town, seed: UInt64(seed))
            // A law that is broken here is broken in the runs to come.
            _ = failure(run)
            past.commands += run.sent
            past.responses += run.answered
        }
        return past
    }
}
