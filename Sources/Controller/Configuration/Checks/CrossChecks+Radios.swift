extension CrossChecks {
    /// Each radio is one adapter and serves lanes that exist, each of which is at no other radio; and what a lane says of its carriers
    /// fits to where it is.
    mutating func checkRadios() {
        checkLanesOfRadios()
        checkAddresses()
        checkReports()
        checkTriggers()
        checkCarriers()
    }

    private mutating func checkLanesOfRadios() {
        var first: [String: TableReading] = [:]
        for radio in radios {
            for (lane, position) in radio.places("lanes") {
                if let earlier = first[lane] {
                    complain(lane, of: radio, after: earlier, at: position)
                } else {
                    first[lane] = radio
                    checkLane(lane, of: radio, at: position)
                }
            }
        }
    }

    private mutating func complain(_ lane: String, of radio: TableReading, after earlier: TableReading, at position: TextPosition) {
        if earlier.path == radio.path {
            issues.error("repeated-value", at: position, "\(radio.path).lanes names \"\(lane)\" twice.")
        } else {
            issues.error("lane-at-two-radios", at: position,
                         "The lane \"\(lane)\" is at \(earlier.path) (line \(earlier.position(of: "lanes").line)) already: a lane has one radio.")
        }
    }

    /// Of several adapters each is told by its address. What `hci0` is changes from start to start.
    private mutating func checkAddresses() {
        var first: [String: TableReading] = [:]
        for radio in radios {
            if let address = radio.text("address") {
                if let earlier = first[address] {
                    issues.error("radio-bound-twice", at: radio.position(of: "address"),
                                 "\(radio.path) is the same adapter as \(earlier.path) (line \(earlier.position(of: "address").line)).")
                } else {
                    first[address] = radio
                }
            } else if radios.count > 1, !radio.present.contains("address") {
                issues.error("radio-address-missing", at: radio.position,
                             "\(radio.path).address is missing: with several radios each needs its own; `bluetoothctl list` shows them.")
            }
        }
    }

    /// The shortest interval at which phones nearby are told, in milliseconds.
    private static let shortestReport = 100

    private mutating func checkReports() {
        for radio in radios {
            guard let interval = radio.integer("report-interval-ms"), (1..<Self.shortestReport).contains(interval) else { continue }
            issues.error("out-of-range", at: radio.position(of: "report-interval-ms"),
                         "\(radio.path).report-interval-ms is 0, or from \(Self.shortestReport) on, not \(interval).")
        }
    }

    /// Phones open by themselves, or a person starts it (T4, T11): where neither may be, every phone is refused.
    private mutating func checkTriggers() {
        for radio in radios where radio.flag("manual") == false {
            switch radio.choice("mode", RadioMode.self) {
            case .classic:
                issues.error("radio-serves-nobody", at: radio.position(of: "manual"),
                             "\(radio.path).manual is false, and in mode \"classic\" no phone opens by itself: nobody is served. "
                                 + "Remove `manual`, or choose mode \"on-touch\".")
            case .onTouch: checkLanesByHand(of: radio)
            case nil: break
            }
        }
    }

    private mutating func checkLanesByHand(of radio: TableReading) {
        for lane in lanes where lane.flag("automatic") == false {
            guard let name = lane.text("name"), radio.texts("lanes")?.contains(name) == true else { continue }
            issues.error("radio-serves-nobody", at: radio.position(of: "manual"),
                         "\(radio.path).manual is false, and so is \(lane.path).automatic (line \(lane.position(of: "automatic").line)): "
                             + "nobody is served at the lane \"\(name)\". Remove one of them.")
        }
    }

    private mutating func checkCarriers() {
        // A list that could not be read may name the lane that is meant.
        guard radios.allSatisfy({ $0.values["lanes"] != nil }) else { return }
        let reached = radios.flatMap { $0.texts("lanes") ?? [] }
        for lane in lanes {
            guard let name = lane.text("name"), let carriers = lane.choice("carriers", CarrierSetting.self) else { continue }
            switch (carriers, reached.contains(name)) {
            case (.bleOnly, false), (.both, false):
                issues.error("radio-needed", at: lane.position(of: "carriers"),
                             "\(lane.path).carriers is \"\(carriers.rawValue)\", and no [[radio]] names the lane \"\(name)\" among its lanes.")
            case (.nfcOnly, true):
                issues.error("radio-unused", at: lane.position(of: "carriers"),
                             "\(lane.path).carriers is \"\(carriers.rawValue)\", and a [[radio]] names the lane \"\(name)\": remove one of them.")
            case (.nfcFirst, _), (.nfcOnly, false), (.bleOnly, true), (.both, true): break
            }
        }
    }
}
