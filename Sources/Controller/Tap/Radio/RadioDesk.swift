import Credentials
import Gate
import PhoneProtocol
import Radio
import Service
import Threads

/// The links of one radio: who is near enough to be listened to, and what is said to whom. It belongs to the radios' thread;
/// what is decided about links is `LinkRegister`'s, what is decided about phones `TapTransaction`'s.
package final class RadioDesk {
    /// A message that waits until it is known whether its phone is near.
    private struct Message {
        let value: [UInt8]
        let answer: WriteAnswer
        let arrived: Int64
    }

    private let name: String
    private let station: @Sendable () -> RadioStation?
    private let control: any LinkControl
    private let log: Log
    private var register: LinkRegister
    private var report: NearbyReport
    private var hangUps = HangUpTally()
    private var waiting: [LinkIdentifier: [Message]] = [:]
    private var links: [LinkIdentifier: LinkTap] = [:]

    /// - Parameter station: what is in force now.
    package init(_ first: RadioStation, station: @escaping @Sendable () -> RadioStation?, control: any LinkControl, report: NearbyReport, log: Log) {
        name = first.name
        self.station = station
        self.control = control
        self.report = report
        self.log = log
        register = LinkRegister(rules: first.rules)
    }

    /// How many links there are that are served.
    var linkCount: Int { register.sights.count(where: \.isThere) }

    /// When `advance` has something to do.
    var nextDue: Int64? {
        let report = report.nextDue(isAnybodyThere: linkCount > 0, every: station()?.reportInterval)
        return [register.nextChange?.milliseconds, hangUps.nextChange?.milliseconds, report].compactMap(\.self).min()
    }

    /// A phone has connected.
    package func opened(_ link: RadioLink) {
        if let station = station(), station.rules != register.rules { register.adopt(station.rules) }
        act(register.opened(link.identifier, at: .now))
        // While its distance is found out, or its phone looks around, nobody waits for what is made.
        if register.refusal(of: link.identifier) == nil { station()?.ephemerals?.refill() }
    }

    /// It has gone.
    package func closed(_ link: RadioLink) {
        act(register.closed(link.identifier, at: .now))
        links.removeValue(forKey: link.identifier)?.cut(.cardRemoved)
        refuse(link.identifier, .gone)
    }

    /// The phone wrote.
    package func wrote(_ value: [UInt8], on link: RadioLink, answer: WriteAnswer) {
        waiting[link.identifier, default: []].append(Message(value: value, answer: answer, arrived: MonotonicTime.microseconds))
        act(register.wrote(link.identifier, at: .now))
    }

    /// The radios' thread was busy for so long with somebody else.
    func excuse(_ milliseconds: Int64) { register.excuse(milliseconds) }

    /// The phone reads.
    package func read(on link: RadioLink) -> ReadResult {
        act(register.read(link.identifier, at: .now))
        if let value = links[link.identifier]?.read() { return .value(value) }
        return .refused(register.refusal(of: link.identifier)?.attError ?? LinkRefusal.nothingReady)
    }

    /// The link was measured.
    package func strength(_ dBm: Int8?, of link: RadioLink) {
        act(register.strength(link.identifier, SignalStrength(reported: dBm.map(Int.init)), at: .now))
    }

    /// Time has passed.
    func advance() {
        act(register.advance(to: .now))
        for (refusal, untold) in hangUps.remainder(at: .now) { log.info("\(refusal.code): radio \(name): \(untold) more in the last minute") }
        report.report(register.sights, every: station()?.reportInterval, at: MonotonicTime.milliseconds)
    }

    private func act(_ actions: [LinkAction]) {
        for action in actions {
            switch action {
            case .measure(let id): control.measure(link(id), everyMilliseconds: register.rules.samplingInterval)
            case .stopMeasuring(let id): control.stopMeasuring(link(id))
            case .admit(let id, let lanes): admit(id, near: lanes)
            case .proceed(let id): proceed(id)
            case .refuse(let id, let refusal): refuse(id, refusal)
            case .drop(let id, let refusal): drop(id, refusal)
            case .dropAgain(let id): control.drop(link(id))
            }
        }
    }

    private func link(_ id: LinkIdentifier) -> RadioLink { RadioLink(radio: name, id: id.value) }

    /// A phone that is near has the word.
    private func admit(_ id: LinkIdentifier, near names: [String]) {
        guard let lanes = station()?.offered(near: names, at: .now), !lanes.isEmpty else { return decline(id, .unknown) }
        guard let talk = LinkTap(lanes) else { return decline(id, .notEquipped) }
        links[id] = talk
        proceed(id)
    }

    private func proceed(_ id: LinkIdentifier) {
        guard let talk = links[id] else { return refuse(id, .unknown) }
        for message in waiting.removeValue(forKey: id) ?? [] {
            talk.write(message.value, arrived: message.arrived)
            message.answer.accept()
        }
        if talk.isOver { act(register.concluded(id, at: .now)) }
    }

    private func decline(_ id: LinkIdentifier, _ refusal: LinkRefusal) { act(register.declined(id, refusal, at: .now)) }

    private func refuse(_ id: LinkIdentifier, _ refusal: LinkRefusal) {
        for message in waiting.removeValue(forKey: id) ?? [] { message.answer.refuse(refusal.attError) }
    }

    private func drop(_ id: LinkIdentifier, _ refusal: LinkRefusal) {
        notify(id, refusal)
        links.removeValue(forKey: id)?.cut(refusal.reason)
        control.drop(link(id))
    }

    private func notify(_ id: LinkIdentifier, _ refusal: LinkRefusal) {
        guard let untold = hangUps.hangUp(refusal, at: .now) else { return }
        let more = untold > 0 ? " \(untold) more since the last line." : ""
        log.info("\(refusal.code): radio \(name), link \(id.value): \(refusal.message)\(more)")
    }
}

extension RadioLink {
    /// The same link, as the rules know it.
    fileprivate var identifier: LinkIdentifier { LinkIdentifier(id) }
}

extension LinkRefusal {
    /// The error of a read with nothing ready.
    fileprivate static let nothingReady: UInt8 = 0x80

    /// What a conversation comes to that is cut for this.
    fileprivate var reason: Reason {
        switch self {
        case .silent, .late, .stayed: .timeout
        case .outOfTurn: .protocolError
        case .notEquipped: .laneFault
        case .tooFar, .tooMany, .gone, .unknown: .cardRemoved
        }
    }
}
