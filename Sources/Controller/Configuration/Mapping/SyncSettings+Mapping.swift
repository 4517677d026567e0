extension SyncSettings {
    /// Nil where no address is given.
    init?(_ table: TableReading) {
        guard let url = table.text("url"), let interval = table.integer("interval-minutes"), let spread = table.integer("start-spread-seconds"),
              let rate = table.integer("minimum-rate"), let socket = table.text("socket") else { return nil }
        self.init(url: url, targetsURL: table.text("targets-url"), intervalMinutes: interval, startSpreadSeconds: spread, minimumRate: rate, socket: socket)
        proxy = table.text("proxy")
        noProxy = table.text("no-proxy")
        moreURLs = table.texts("more-urls") ?? []
        localAddresses = table.texts("local-addresses") ?? []
        authorities = table.text("ca-file")
        certificate = table.text("client-certificate")
        key = table.text("client-key")
    }
}
