extension CrossChecks {
    /// A relay that is held until the passage begins needs a sensor that sees it.
    mutating func checkHolds() {
        for lane in lanes where lane.tables["inputs"]?.tables[InputName.passageIn.rawValue] == nil {
            for relay in ["relay", "relay-out"].compactMap({ lane.tables[$0] }) {
                guard relay.choice("hold", RelayHold.self) == .untilPassage else { continue }
                issues.error("hold-unseen", at: relay.position(of: "hold"),
                             "\(relay.path).hold is until-passage, and nothing sees the passage: wire \(lane.path).inputs.passage-in, or choose pulse.")
            }
        }
    }
}
