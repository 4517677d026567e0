import ControlProtocol
import Encoding
import Gate
import Service
import Threads

/// What was said about the clock's word.
struct ClockNews: Hashable, Sendable {
    /// The machine's clock is not believed.
    let hasJumped: Bool
    /// Somebody has confirmed the time since the machine started.
    let isConfirmed: Bool
}

extension Controller {
    /// Takes somebody's word that the machine's present time is right. Journalled with the user who gave it.
    func confirmClock(by requester: Requester, isRoot: Bool) throws(ControlError) -> JSON {
        do throws(ControlError) {
            return try acceptClock(of: requester, isRoot: isRoot)
        } catch {
            parts.logs.log("clock").warning("\(error.code): \(error.message)")
            parts.recorder.record(.service, "clock-not-confirmed", reason: error.code, detail: requester.detail)
            throw error
        }
    }

    private func acceptClock(of requester: Requester, isRoot: Bool) throws(ControlError) -> JSON {
        let before = UTCText.make(milliseconds: parts.clock.now().milliseconds)
        let time: WallTime
        do throws(ClockNotConfirmed) {
            time = try parts.clock.confirm(byRoot: isRoot)
        } catch {
            throw ControlError(code: error.code, message: error.message)
        }
        do throws(SystemError) {
            try parts.clock.save()
        } catch {
            throw ControlError(code: error.code, message: error.message)
        }
        let now = UTCText.make(milliseconds: time.milliseconds)
        parts.recorder.record(.service, "clock-confirmed", detail: requester.detail.merging(["before": .text(before), "now": .text(now)]) { own, _ in own })
        parts.logs.log("clock").notice("the time was \(before) and is \(now), as user \(requester.user) confirmed")
        return ["before": .string(before), "time": .string(now), "trust": .string(time.trust.word)]
    }

    /// Records that the machine's clock has jumped, or is believed again, and what was signed that confirms it: once each time.
    func reportClock() {
        let time = parts.clock.now()
        let news = ClockNews(hasJumped: time.jump != nil, isConfirmed: time.isConfirmed)
        let before = reportedClock.withLock { told in
            defer { told = news }
            return told
        }
        let now: [String: CBOR] = ["now": .text(UTCText.make(milliseconds: time.milliseconds))]
        if let jump = time.jump, before?.hasJumped != true {
            let machine = UTCText.make(milliseconds: jump.machine)
            parts.recorder.record(.service, "clock-jump", reason: jump.code, detail: now.merging(["machine": .text(machine)]) { own, _ in own })
            parts.events.emit(.service, ["state": "clock-jump", "machine": .string(machine)])
        } else if time.jump == nil, before?.hasJumped == true {
            parts.recorder.record(.service, "clock-believed", detail: now)
            parts.events.emit(.service, ["state": "clock-believed"])
        }
        // Who confirms it by a request has a record of his own.
        if time.basis == .signed, news.isConfirmed, before?.isConfirmed == false { parts.recorder.record(.service, "clock-confirmed", detail: now.merging(["by": "signed"]) { own, _ in own }) }
    }
}
