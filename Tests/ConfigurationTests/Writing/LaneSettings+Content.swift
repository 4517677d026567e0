@testable import Configuration

extension LaneSettings {
    var content: TableContent {
        var content = TableContent()
        content.set("name", name)
        content.set("zone", zone)
        content.set("from-zone", fromZone)
        content.set("methods", methods)
        content.set("suites", suites)
        content.set("cooldown-success-ms", cooldownSuccessMilliseconds)
        content.set("cooldown-failure-ms", cooldownFailureMilliseconds)
        content.set("second-factor", secondFactor)
        content.set("second-factor-schedule", secondFactorSchedule)
        content.set("audit-on-failure", auditOnFailure)
        content.set("uid-only-cards", uidOnlyCards)
        passage.add(to: &content)
        carriers.add(to: &content)
        content.tables = ["relay": relay.content, "inputs": inputs.content, "indicators": indicators.content]
        content.tables["relay-out"] = relayOut?.content
        content.lists = ["output": lineOutputs.map(\.content), "command": commands.map(\.content)]
        return content
    }
}

extension RelaySettings {
    var content: TableContent {
        var content = output.content
        content.set("pulse-ms", pulseMilliseconds)
        content.set("hold", hold)
        return content
    }
}

extension IndicatorSettings {
    var content: TableContent {
        var content = TableContent()
        for indicator in Indicator.allCases { content.tables[indicator.rawValue] = self[indicator]?.content }
        return content
    }
}

extension OutputSettings {
    var content: TableContent {
        var content = TableContent()
        content.set("chip", chip)
        content.set(line)
        content.set("active", active)
        return content
    }
}

extension PassageSettings {
    func add(to content: inout TableContent) {
        content.set("passage-wait-ms", waitMilliseconds)
        content.set("held-after-ms", heldAfterMilliseconds)
        content.set("alarm-ms", alarmMilliseconds)
        content.set("on-fire", onFire?.rawValue)
        content.set("on-fire-line-fault", onFireLineFault)
        content.set("request-to-exit-when-locked", requestToExitWhenLocked)
        content.set("free-passage-direction", freePassage)
        content.set("automatic", automatic)
        content.set("ble-background-cooldown-ms", bleBackgroundCooldownMilliseconds)
    }
}

extension CarrierSettings {
    func add(to content: inout TableContent) {
        content.set("carriers", carriers)
        content.set("ble-require", bleRequirement)
        content.set("ble-rssi-threshold-dbm", thresholdDBm)
        content.set("ble-rssi-window-ms", windowMilliseconds)
    }
}

extension CommandSettings {
    var content: TableContent {
        var content = TableContent()
        content.set("name", name)
        content.set("action", action)
        content.set("output", output)
        if action.minutes != nil { content.set("minutes", minutes) }
        if let secondFactor { content.set("second-factor", secondFactor) }
        content.set("schedule", schedule)
        return content
    }
}

extension InputsSettings {
    var content: TableContent {
        var content = TableContent()
        for (name, input) in all { content.tables[name.rawValue] = input.content }
        return content
    }
}

extension InputSettings {
    var content: TableContent {
        var content = TableContent()
        content.set("chip", chip)
        content.set(line)
        content.set("closed", closed)
        content.set("normally", normally)
        content.set("bias", bias)
        if let debounceMilliseconds { content.set("debounce-ms", debounceMilliseconds) }
        if let mode { content.set("mode", mode) }
        return content
    }
}

extension LineOutputSettings {
    var content: TableContent {
        var content = output.content
        content.set("name", name)
        content.set("restore", restore)
        return content
    }
}

extension PatternSettings {
    var content: TableContent {
        var content = TableContent()
        content.set("steps", steps.map(\.text))
        content.set("repeat", repeats)
        return content
    }

    static func content(of patterns: [SignalName: PatternSettings]) -> TableContent {
        var content = TableContent()
        for (signal, pattern) in patterns { content.tables[signal.rawValue] = pattern.content }
        return content
    }
}

extension PatternStepSettings {
    /// As it is written.
    var text: String {
        (lamps.isEmpty ? Self.off : lamps.map(\.rawValue).joined(separator: "+")) + " \(milliseconds)"
    }
}
