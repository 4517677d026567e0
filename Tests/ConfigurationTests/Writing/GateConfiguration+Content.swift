import Encoding
@testable import Configuration

extension GateConfiguration {
    var content: TableContent {
        var content = TableContent()
        content.tables = ["site": site.content, "gate": gate.content, "trust": trust.content, "store": store.content,
                          "audit": audit.content, "log": log.content, "control": control.content, "clock": clock.content, "inputs": inputs.content,
                          "pattern": PatternSettings.content(of: patterns)]
        if let sync { content.tables["sync"] = sync.content }
        content.lists = ["lane": lanes.map(\.content), "reader": readers.map(\.content), "radio": radios.map(\.content)]
        return content
    }
}

extension SiteSettings {
    var content: TableContent {
        var content = TableContent()
        content.set("id", identifier)
        return content
    }
}

extension GateSettings {
    var content: TableContent {
        var content = TableContent()
        content.set("id", identifier)
        content.set("signing-key", signingKey)
        content.set("agreement-key", agreementKey)
        content.set("signing-credential", signingCredential)
        content.set("agreement-credential", agreementCredential)
        content.set("next-signing-key", nextSigningKey)
        content.set("next-agreement-key", nextAgreementKey)
        content.set("switch-at", switchAt.map(UTCText.make(seconds:)))
        return content
    }
}

extension TrustSettings {
    var content: TableContent {
        var content = TableContent()
        content.set("root", root)
        content.set("site-file", siteFile)
        content.set("keep", keep.rawValue)
        content.set("warn-after-hours", warnAfterHours)
        content.set("refuse-after-days", refuseAfterDays)
        content.set("token-cache", tokenCache)
        return content
    }
}

extension StoreSettings {
    var content: TableContent {
        var content = TableContent()
        content.set("directory", directory)
        return content
    }
}

extension AuditSettings {
    var content: TableContent {
        var content = TableContent()
        content.set("on-failure", onFailure)
        content.set("wait-ms", waitMilliseconds)
        content.set("durable-within-ms", durableWithinMilliseconds)
        content.set("max-records", maximumRecords)
        content.set("collect", collect)
        content.set("on-full", onFull)
        return content
    }
}

extension ControlSettings {
    var content: TableContent {
        var content = TableContent()
        content.set("socket", socket)
        content.set("group", group)
        content.set("operator-group", operatorGroup)
        content.set("observer-group", observerGroup)
        return content
    }
}

extension ClockSettings {
    var content: TableContent {
        var content = TableContent()
        content.set("source", source)
        content.set("holdover-days", holdoverDays)
        content.set("when-untrusted", whenUntrusted)
        content.set("after-boot", afterBoot)
        return content
    }
}

extension LoggingSettings {
    var content: TableContent {
        var content = standard.content
        content.tables = rooms.mapValues(\.content)
        return content
    }
}

extension LoggingSettings.Rule {
    var content: TableContent {
        var content = TableContent()
        content.set("level", level)
        content.set("target", target)
        return content
    }
}

extension SyncSettings {
    var content: TableContent {
        var content = TableContent()
        content.set("url", url)
        content.set("targets-url", targetsURL)
        content.set("interval-minutes", intervalMinutes)
        content.set("start-spread-seconds", startSpreadSeconds)
        content.set("minimum-rate", minimumRate)
        content.set("socket", socket)
        content.set("proxy", proxy)
        content.set("no-proxy", noProxy)
        content.set("more-urls", moreURLs)
        content.set("local-addresses", localAddresses)
        content.set("ca-file", authorities)
        content.set("client-certificate", certificate)
        content.set("client-key", key)
        return content
    }
}
