import Configuration
import Readers

extension ReaderBinding {
    /// The binding that an installer wrote down (T3).
    init(_ settings: ReaderSettings) {
        let match: ReaderMatch = switch settings.match {
        case .name(let name): .name(name)
        case .serial(let serial): .serial(serial)
        case .port(let port): .port(port)
        }
        self.init(name: settings.name, match: match, nameContains: settings.nameContains,
                  stuckAfterMilliseconds: Int64(settings.stuckAfterMilliseconds))
    }
}
