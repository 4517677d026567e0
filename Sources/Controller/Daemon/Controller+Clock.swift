import ControlProtocol
import Encoding
import Service
import Storage
import Threads

extension Controller {
    /// Takes the clock's floor back to what the machine's present time allows, and forgets site data that
    /// were issued ahead of it. Journalled with the user who asked.
    func resetClockFloor(user: UInt32) throws(ControlError) -> JSON {
        do throws(ControlError) {
            return try forgetTimesAhead(user: user)
        } catch {
            parts.logs.log("clock").error("\(error.code): \(error.message)")
            parts.recorder.record(.service, "clock-floor-not-reset", reason: error.code, detail: ["user": .unsigned(UInt64(user))])
            throw error
        }
    }

    private func forgetTimesAhead(user: UInt32) throws(ControlError) -> JSON {
        let reset: FloorReset
        do throws(ClockNotSet) {
            reset = try parts.clock.resetFloor()
        } catch {
            throw ControlError(code: error.code, message: error.message)
        }
        let setAside = try keep(reset)
        let before = UTCText.make(milliseconds: reset.before), after = UTCText.make(milliseconds: reset.after)
        parts.recorder.record(.service, "clock-floor-reset", detail: ["user": .unsigned(UInt64(user)), "before": .text(before), "after": .text(after)])
        parts.logs.log("clock").notice("the floor was taken back from \(before) to \(after), as user \(user) asked")
        var answer: JSONObject = [
            "before": .string(before), "floor": .string(after), "trust": .string(reset.now.trust.word),
            "time": .string(UTCText.make(milliseconds: reset.now.milliseconds))]
        if let setAside {
            parts.recorder.record(.trust, "set-aside", detail: ["as": .text(setAside)])
            parts.logs.log("trust").error("trust-from-future: the site data were issued ahead of the clock and are kept as \(setAside)")
            parts.events.emit(.trust, ["state": "set-aside"])
            answer["setAside"] = .string(setAside)
        }
        return .object(answer)
    }

    /// Writes down what was forgotten, or the next start would know it again.
    private func keep(_ reset: FloorReset) throws(ControlError) -> String? {
        let setAside: String?
        do throws(StorageError) {
            setAside = try parts.trust.resetFloor(now: reset.now.seconds)
        } catch {
            throw ControlError(code: error.code, message: error.message)
        }
        do throws(SystemError) {
            try parts.clock.save()
        } catch {
            throw ControlError(code: error.code, message: error.message)
        }
        return setAside
    }
}
