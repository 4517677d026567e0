extension CarrierSettings {
    init?(_ table: TableReading) {
        guard let carriers = table.choice("carriers", CarrierSetting.self), let requirement = table.choice("ble-require", BLERequirement.self),
              let threshold = table.integer("ble-rssi-threshold-dbm"), let window = table.integer("ble-rssi-window-ms") else { return nil }
        self.init(carriers: carriers, bleRequirement: requirement, thresholdDBm: threshold, windowMilliseconds: window)
    }
}
