import Credentials
import Cryptography
import Encoding
import Service

/// One line of a list of keys:
///
/// `{"subject": "anna", "key": "04…", "use": "sign", "kid": "…", "audience": ["tapstile:north"],
///   "scope": ["tokn"], "userVerified": true, "notBefore": "2025-01-31T08:00:00Z", "expires": "2026-01-31"}`
///
/// or with `"ccs": "a2…"` in the place of `key` and `kid`. A key is a JWK, or a text as `PhoneKey` reads it: a point, DER or COSE_Key
/// in hexadecimal, PEM. Kid and CCS are hexadecimal. Only subject and key, or the CCS, are needed; a key signs unless said otherwise.
///
/// What a line does not say of a key that is known stays as it is; `null` says what an empty cell of a spreadsheet says.
enum EnrolmentLine {
    private static let members: Set<String> = [
        "subject", "key", "use", "kid", "audience", "scope", "notBefore", "expires", "ccs", "userVerified"
    ]

    static func read(_ line: [UInt8]) throws(AuthorityError) -> (request: EnrolmentRequest, listed: ListedRights) {
        let json = try object(line)
        return (try request(json), try listed(json))
    }

    /// In which column of a line the text begins that says this; nil if none does. For the fault of a line that could be read.
    static func column(of text: String, in line: [UInt8]) -> Int? {
        var start: Int?
        var isEscaped = false
        for (place, byte) in line.enumerated() {
            guard let quote = start else {
                if byte == UInt8(ascii: "\"") { start = place }
                continue
            }
            if isEscaped || byte != UInt8(ascii: "\"") {
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            // Bytes, for one text may be written in many ways.
            if let found = (try? JSON.parse(Array(line[quote...place])))?.string, found.utf8.elementsEqual(text.utf8) {
                return line[..<quote].count(where: { $0 & 0xC0 != 0x80 }) + 2
            }
            start = nil
        }
        return nil
    }

    private static func object(_ line: [UInt8]) throws(AuthorityError) -> JSON {
        let json: JSON
        do throws(JSONError) { json = try JSON.parse(line) } catch { throw .listEntry(error.message) }
        guard let object = json.object else { throw .listEntry("It is no JSON object.") }
        if let unknown = object.keys.first(where: { !members.contains($0) }) {
            throw .listEntry("'\(unknown)' is not known here.")
        }
        return json
    }

    private static func request(_ json: JSON) throws(AuthorityError) -> EnrolmentRequest {
        let use = try use(json)
        let subject = try optionalText(json, "subject")
        if json["ccs"] != nil {
            guard json["key"] == nil, json["kid"] == nil else {
                throw .listEntry("'ccs' takes the place of 'key' and 'kid'.")
            }
            return try EnrolmentRequest(claims: try bytes(json, "ccs"), subject: subject, use: use)
        }
        guard let subject else { throw .badSubject }
        let identifier = isSaid(json, "kid") ? try bytes(json, "kid") : nil
        return try EnrolmentRequest(key: try key(json), use: use, subject: subject, keyIdentifier: identifier)
    }

    /// What the line says of rights.
    private static func listed(_ json: JSON) throws(AuthorityError) -> ListedRights {
        var listed = ListedRights(namesKey: json["kid"] != nil, givesUse: json["use"] != nil)
        if json["audience"] != nil { listed.audiences = isSaid(json, "audience") ? try texts(json, "audience") : [] }
        if json["scope"] != nil { listed.scope = isSaid(json, "scope") ? try texts(json, "scope") : [TokenClaims.defaultCommand] }
        if json["notBefore"] != nil { listed.notBefore = .some(try time(json, "notBefore")) }
        if json["expires"] != nil { listed.expiresAt = .some(try time(json, "expires")) }
        if json["userVerified"] != nil { listed.userVerification = try flag(json, "userVerified") }
        return listed
    }

    /// Whether a line says something with a member that is there, as a cell that is not empty does.
    private static func isSaid(_ json: JSON, _ name: String) -> Bool {
        if let member = json[name] { !member.isNull } else { false }
    }

    private static func use(_ json: JSON) throws(AuthorityError) -> KeyUse? {
        guard let text = try optionalText(json, "use") else { return nil }
        guard let use = KeyUse(rawValue: text) else { throw .listEntry("'use' is neither \"sign\" nor \"agree\".") }
        return use
    }

    private static func key(_ json: JSON) throws(AuthorityError) -> PhoneKey {
        guard let member = json["key"] else { throw .listEntry("'key' is missing.") }
        do throws(PhoneKeyError) {
            if member.object != nil { return try PhoneKey(jwk: member) }
            if let text = member.string { return try PhoneKey(parsing: Array(text.utf8)) }
        } catch {
            throw .phoneKey(path: nil, error)
        }
        throw .listEntry("'key' is neither a text nor a JWK.")
    }

    private static func flag(_ json: JSON, _ name: String) throws(AuthorityError) -> Bool {
        guard let member = json[name], !member.isNull else { return false }
        guard let flag = member.bool else { throw .listEntry("'\(name)' is neither true nor false.") }
        return flag
    }

    private static func optionalText(_ json: JSON, _ name: String) throws(AuthorityError) -> String? {
        guard let member = json[name], !member.isNull else { return nil }
        guard let text = member.string else { throw .listEntry("'\(name)' is no text.") }
        return text
    }

    private static func bytes(_ json: JSON, _ name: String) throws(AuthorityError) -> [UInt8] {
        guard let text = try optionalText(json, name) else { throw .listEntry("'\(name)' is missing.") }
        do throws(HexError) { return try Hex.decode(text) } catch { throw .listEntry("'\(name)' is not hexadecimal.") }
    }

    private static func texts(_ json: JSON, _ name: String) throws(AuthorityError) -> [String] {
        guard let items = json[name]?.array else { throw .listEntry("'\(name)' is no list of texts.") }
        let texts = items.compactMap(\.string)
        guard texts.count == items.count else { throw .listEntry("'\(name)' is no list of texts.") }
        return texts
    }

    private static func time(_ json: JSON, _ name: String) throws(AuthorityError) -> Int64? {
        guard let text = try optionalText(json, name) else { return nil }
        guard let milliseconds = UTCText.read(text) else {
            throw .listEntry("'\(name)' is no time in UTC (2025-01-31T08:00:00Z).")
        }
        return milliseconds / 1000
    }
}
