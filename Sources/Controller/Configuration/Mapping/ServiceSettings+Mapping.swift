import Encoding
import Vocabulary

// The tables that stand once: site, gate, trust, store, audit, control, clock.

extension SiteSettings {
    init?(_ table: TableReading) {
        guard let identifier = table.text("id") else { return nil }
        self.init(identifier: identifier)
    }
}

extension GateSettings {
    init?(_ table: TableReading) {
        guard let identifier = table.text("id") else { return nil }
        self.init(identifier: identifier, signingKey: table.text("signing-key"), agreementKey: table.text("agreement-key"),
                  signingCredential: table.text("signing-credential"), agreementCredential: table.text("agreement-credential"),
                  nextSigningKey: table.text("next-signing-key"), nextAgreementKey: table.text("next-agreement-key"),
                  switchAt: table.text("switch-at").flatMap(UTCText.read).map { $0 / 1000 })
    }
}

extension TrustSettings {
    init?(_ table: TableReading) {
        guard let source = SiteDataSource(table), let keep = table.choice("keep", KeptSiteData.self), let warnAfter = table.integer("warn-after-hours"),
              let refuseAfter = table.integer("refuse-after-days"), let tokenCache = table.integer("token-cache")
        else { return nil }
        self.init(source: source, keep: keep, warnAfterHours: warnAfter, refuseAfterDays: refuseAfter, tokenCache: tokenCache)
    }
}

extension SiteDataSource {
    init?(_ table: TableReading) {
        switch (table.text("root"), table.text("site-file")) {
        case (let root?, nil): self = .repository(root: root)
        case (nil, let siteFile?): self = .siteFile(siteFile)
        case (nil, nil), (_?, _?): return nil
        }
    }
}

extension StoreSettings {
    init?(_ table: TableReading) {
        guard let directory = table.text("directory") else { return nil }
        self.init(directory: directory)
    }
}

extension AuditSettings {
    init?(_ table: TableReading) {
        guard let onFailure = table.choice("on-failure", AuditFailurePolicy.self), let wait = table.integer("wait-ms"),
              let durableWithin = table.integer("durable-within-ms"), let maximum = table.integer("max-records"),
              let collect = table.choice("collect", AuditCollection.self), let onFull = table.choice("on-full", AuditFullPolicy.self)
        else { return nil }
        self.init(onFailure: onFailure, waitMilliseconds: wait, durableWithinMilliseconds: durableWithin,
                  maximumRecords: maximum, collect: collect, onFull: onFull)
    }
}

extension ControlSettings {
    init?(_ table: TableReading) {
        guard let socket = table.text("socket"), let group = table.text("group"), let operatorGroup = table.text("operator-group"),
              let observerGroup = table.text("observer-group") else { return nil }
        self.init(socket: socket, group: group, operatorGroup: operatorGroup, observerGroup: observerGroup)
    }
}

extension ClockSettings {
    init?(_ table: TableReading) {
        guard let source = table.choice("source", ClockSource.self), let holdover = table.integer("holdover-days"),
              let whenUntrusted = table.choice("when-untrusted", UntrustedClockPolicy.self),
              let afterBoot = table.choice("after-boot", AfterBootPolicy.self) else { return nil }
        self.init(source: source, holdoverDays: holdover, whenUntrusted: whenUntrusted, afterBoot: afterBoot)
    }
}
