import Vocabulary

extension PassageSettings {
    init?(_ table: TableReading) {
        guard let wait = table.integer("passage-wait-ms"), let held = table.integer("held-after-ms"), let alarm = table.integer("alarm-ms"),
              let lineFault = table.choice("on-fire-line-fault", FireLineFaultPolicy.self),
              let exit = table.flag("request-to-exit-when-locked"),
              let free = table.choice("free-passage-direction", Direction.self), let automatic = table.flag("automatic"),
              let rest = table.integer("ble-background-cooldown-ms") else { return nil }
        self.init(waitMilliseconds: wait, heldAfterMilliseconds: held, alarmMilliseconds: alarm, onFire: table.choice("on-fire"),
                  onFireLineFault: lineFault, requestToExitWhenLocked: exit, freePassage: free, automatic: automatic,
                  bleBackgroundCooldownMilliseconds: rest)
    }
}
