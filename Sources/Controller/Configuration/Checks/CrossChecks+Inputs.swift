extension CrossChecks {
    /// What one contact alone does not show: halves that belong together, inputs of a lane and of the gate.
    mutating func checkInputs() {
        let gate = root.tables["inputs"]
        if let gate { checkHalves(gate) }
        for lane in lanes {
            guard let inputs = lane.tables["inputs"] else { continue }
            checkHalves(inputs)
            checkPassages(inputs)
            if let gate { checkOnce(inputs, gate) }
        }
    }

    /// A loop of two lines is one change-over contact: one half normally closed, the other one open.
    private mutating func checkHalves(_ inputs: TableReading) {
        let fire = inputs.tables[InputName.fire.rawValue]
        guard let half = inputs.tables[InputName.fireOpen.rawValue] else {
            guard let fire, fire.choice("normally", NormalContact.self) == .open else { return }
            issues.warning("fire-unsupervised", at: fire.position(of: "normally"),
                           "\(fire.path) is normally open: nobody notices a broken wire. Wire it normally closed, or add \(inputs.path).fire-open.")
            return
        }
        guard let fire else {
            issues.error("fire-half", at: half.position, "\(half.path) is the second half of \(inputs.path).fire, which is not there.")
            return
        }
        guard let first = fire.choice("normally", NormalContact.self), let second = half.choice("normally", NormalContact.self),
              first == second else { return }
        issues.error("fire-half", at: half.position(of: "normally"),
                     "\(half.path) and \(fire.path) are both normally \(first.rawValue): of a change-over contact one half is open and one closed.")
    }

    private mutating func checkPassages(_ inputs: TableReading) {
        guard let out = inputs.tables[InputName.passageOut.rawValue], inputs.tables[InputName.passageIn.rawValue] == nil else { return }
        issues.error("passage-alone", at: out.position,
                     "\(out.path) has no \(inputs.path).passage-in: with one contact for both ways, call it passage-in.")
    }

    /// A lane has one fire alarm: its own, or that of the gate.
    private mutating func checkOnce(_ inputs: TableReading, _ gate: TableReading) {
        for name in InputName.ofGate {
            guard let own = inputs.tables[name.rawValue], let common = gate.tables[name.rawValue] else { continue }
            issues.error("input-twice", at: own.position,
                         "\(own.path) and \(common.path) (line \(common.position.line)) both are this lane's \(name.rawValue): keep one.")
        }
    }
}

/// What `[gate]` says of keys that come and go.
extension CrossChecks {
    /// Every key has a file of its own: a key signs or agrees, never both, and the next one is another one.
    mutating func checkKeyFiles() {
        guard let gate = root.tables["gate"] else { return }
        var first: [String: String] = [:]
        for name in ["signing-key", "agreement-key", "next-signing-key", "next-agreement-key"] {
            guard let path = gate.text(name) else { continue }
            if let earlier = first[path] {
                issues.error("key-used-twice", at: gate.position(of: name),
                             "gate.\(name) is the same file as gate.\(earlier); a key signs or agrees, never both, and the next one is another one.")
            } else {
                first[path] = name
            }
        }
    }

    /// The next key follows one, at a date; a credential belongs to a key.
    mutating func checkRotation() {
        guard let gate = root.tables["gate"] else { return }
        let isNamed = gate.present.contains
        let next = ["next-signing-key", "next-agreement-key"].filter(isNamed)
        let credentials = ["signing-credential", "agreement-credential"].filter(isNamed)
        for name in next + credentials {
            let use = name.contains("signing") ? "signing-key" : "agreement-key"
            guard !isNamed(use) else { continue }
            issues.error("key-needed", at: gate.position(of: name), "gate.\(name) belongs to a gate.\(use), which is not named.")
        }
        if let name = next.first, !isNamed("switch-at") {
            issues.warning("switch-date-missing", at: gate.position(of: name), "gate.\(name) is never used: gate.switch-at does not say from when on.")
        }
        if next.isEmpty, gate.text("switch-at") != nil {
            issues.warning("switch-to-nothing", at: gate.position(of: "switch-at"), "gate.switch-at changes nothing: no next key is named.")
        }
    }
}
