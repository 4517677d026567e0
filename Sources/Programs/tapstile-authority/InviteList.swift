import CommandLineOptions
import Encoding
import Files
import InvitationServer
import Invitations
import Threads

/// People to be invited, as a list in a file.
enum InviteList {
    private enum Column: String, CaseIterable {
        case subject, places, notBefore = "not-before", expires, note
    }

    private static let longest = 1 << 20

    /// The invitations of a list, each made of `usual` and what its line says.
    static func read(_ path: String, site: String, usual: (_ notBefore: Int64?, _ expires: Int64?) throws(CommandLineError) -> NewInvitation) throws
        -> [(line: Int, wanted: NewInvitation)] {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try SmallFile.read(path, limit: longest) } catch { throw FileFault(error) }
        var reader = CSVReader(), columns: [Column]?, found: [(line: Int, wanted: NewInvitation)] = []
        for row in reader.feed(bytes) + reader.finish() {
            switch row {
            case .fault(let fault, let place): throw InviteListError(path, line: place.line, code: fault.code, fault.message)
            case .record(let fields):
                guard let known = columns else { columns = try header(fields, path); continue }
                let line = fields[0].position.line
                guard fields.count <= known.count else { throw InviteListError(path, line: line, code: "csv-fields", "This line has more than the columns.") }
                var cells: [Column: String] = [:]
                for (column, field) in zip(known, fields) where !field.text.isEmpty { cells[column] = field.text }
                var wanted = try usual(try time(cells[.notBefore], path, line), try time(cells[.expires], path, line))
                wanted.subject = cells[.subject] ?? ""
                if let places = cells[.places] {
                    wanted.audiences = places.split(separator: ";").map { InvitedPlace.audience(String($0.drop { $0 == " " }), site: site) }
                }
                if let note = cells[.note] { wanted.note = note }
                found.append((line, wanted))
            }
        }
        guard !found.isEmpty else { throw InviteListError(path, line: 1, code: "csv-nothing", "This list names nobody.") }
        return found
    }

    private static func header(_ fields: [CSVField], _ path: String) throws(InviteListError) -> [Column] {
        var columns: [Column] = []
        for field in fields {
            guard let column = Column(rawValue: field.text), !columns.contains(column) else {
                throw InviteListError(path, line: 1, code: "csv-header",
                                      "'\(field.text)' is no column, or there twice: \(Column.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            columns.append(column)
        }
        guard columns.contains(.subject) else { throw InviteListError(path, line: 1, code: "csv-header", "The column subject is missing.") }
        return columns
    }

    private static func time(_ text: String?, _ path: String, _ line: Int) throws(InviteListError) -> Int64? {
        guard let text else { return nil }
        guard let milliseconds = UTCText.read(text), milliseconds >= 0 else {
            throw InviteListError(path, line: line, code: "csv-value", "'\(text)' is no time in UTC such as 2025-01-31T08:00:00Z.")
        }
        return milliseconds / 1000
    }
}
