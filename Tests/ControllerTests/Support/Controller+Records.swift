import ControlProtocol
import Encoding
import Storage
import Waits

@testable import Controller

extension Controller {
    /// The records of the main chain that were appended before this call, but for the last of them,
    /// which is this call's own: when it is durable, so are all before it.
    func records() throws -> [JSON] {
        let mark = parts.journal.append(JournalEntry(kind: .service, time: parts.journalTime))
        try waitUntil("a record of its own to be durable") {
            _ = mark.wait(milliseconds: 1000)
            return mark.isDurable
        }
        return try Array((journalPage(JournalQuery())["records"]?.array ?? []).dropLast())
    }
}
