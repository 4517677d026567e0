import ControlProtocol
import Encoding

@testable import Controller

extension Controller {
    /// Every durable record of the main chain, after everything that waits is written.
    func records() throws -> [JSON] {
        try journalPage(JournalQuery())["records"]?.array ?? []
    }
}
