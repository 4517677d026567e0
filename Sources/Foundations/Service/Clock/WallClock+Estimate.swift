extension WallClock {
    /// What the time can be, by what was believed in this boot.
    var estimate: ClockEstimate? { memory.estimate.flatMap { $0.boot == boot ? $0.interval : nil } }

    /// What is known besides the machine's clock decides, once, whether the estimate is confirmed or was wrong.
    mutating func settle(_ sample: ClockSample) {
        guard let estimate, !isConfirmed(estimate) || !estimate.allows(sample.realtime, at: sample.raw) else { return }
        if !estimate.basis.isConfirmed, signed?.supports(lead: estimate.time(at: sample.raw) - sample.raw) == true {
            memory.estimate?.interval.basis = .signed
        } else if !estimate.allows(sample.realtime, at: sample.raw), isVouchedFor(sample), isAboveFloor(sample.realtime) {
            settle(estimate, jump: sample)
        }
    }

    private mutating func settle(_ estimate: ClockEstimate, jump sample: ClockSample) {
        let isSupported = signed?.supports(lead: sample.realtime - sample.raw) == true
        if isConfirmed(estimate) {
            // A date that fits the estimate says nothing for the jump: only one that the estimate cannot have come to.
            if isSupported, signed?.refutes(lead: estimate.latest(at: sample.raw)) == true { begin(sample, by: .signed) }
        } else if isSupported {
            begin(sample, by: .signed)
        } else if estimate.basis == .installer {
            // A clock without a battery starts anywhere, and is put right. Once: whoever moves it again must show why.
            begin(sample, by: sample.kernelSynchronised ? .kernel : .corrected)
        }
    }

    mutating func begin(_ sample: ClockSample, by basis: ClockBasis) {
        let isSigned = !basis.isConfirmed && signed?.supports(lead: sample.realtime - sample.raw) == true
        memory.estimate = .init(boot: boot, interval: ClockEstimate(sample.realtime, at: sample.raw, by: isSigned ? .signed : basis))
    }

    mutating func believe(_ sample: ClockSample) {
        if sample.kernelSynchronised {
            memory.lastSynchronised = .init(realtime: sample.realtime, sinceBoot: sample.sinceBoot, boot: boot)
        }
        guard var interval = estimate else { return begin(sample, by: sample.kernelSynchronised ? .kernel : .installer) }
        interval.believe(sample.realtime, at: sample.raw)
        if sample.kernelSynchronised, interval.basis == .installer || interval.basis == .corrected { interval.basis = .kernel }
        memory.estimate = .init(boot: boot, interval: interval)
    }

    private func isConfirmed(_ estimate: ClockEstimate) -> Bool {
        switch policy.afterBoot {
        case .confirm: estimate.basis.isConfirmed
        case .believe: true
        }
    }
}
