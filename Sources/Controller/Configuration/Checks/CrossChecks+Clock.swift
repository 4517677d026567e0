/// Whom the gate believes about the time.
extension CrossChecks {
    mutating func checkClock() {
        guard let clock = root.tables["clock"], clock.choice("after-boot", AfterBootPolicy.self) == .believe else { return }
        let isNeedless = root.tables["sync"]?.present.contains("url") ?? false
        issues.warning("time-believed-at-once", at: clock.position(of: "after-boot"),
                       "clock.after-boot = \"believe\": after each start the first time that the machine has opens lanes by their plans and drops second factors. "
                           + "Who cuts the power and answers for the time server chooses it. "
                           + (isNeedless ? "This gate synchronises, and a signed date confirms the time by itself: leave the setting out."
                               : "Without the setting they wait for: tapstile clock confirm."))
    }
}
