import Configuration
import Glibc
import SiteRules
import Spelling

/// The system's data of time zones.
struct TimeZoneFolder {
    let path: String

    /// The longest file of a zone, by far.
    private static let longest = 1 << 20

    var isThere: Bool { access(path, R_OK | X_OK) == 0 }

    /// Whether there is a zone of that name whose data can be read.
    func has(_ name: TimeZoneName) -> Bool {
        guard let bytes = try? FileText.read("\(path)/\(name.text)", limit: Self.longest) else { return false }
        return (try? TimeZoneData(tzif: bytes)) != nil
    }

    /// The name that somebody probably meant.
    func nearest(to text: String) -> String? {
        NearestName.find(text, among: names) ?? names.first { $0.hasSuffix("/\(text)") }
    }

    /// The names in the text that tzdata was made of: `Z NAME …` begins a zone, `L ZONE NAME` is another name of one.
    private var names: [String] {
        guard let bytes = try? FileText.read("\(path)/tzdata.zi", limit: Self.longest) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            switch words.first {
            case "Z": return words.count > 1 ? String(words[1]) : nil
            case "L": return words.count > 2 ? String(words[2]) : nil
            default: return nil
            }
        }
    }
}
