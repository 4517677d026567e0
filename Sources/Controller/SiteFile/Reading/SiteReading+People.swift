import Configuration
import Credentials
import Cryptography
import Encoding

/// People of a gate that stands alone, and keys.
extension SiteReading {
    /// A key of the file with its place.
    struct Person {
        let key: EnrolledKey
        let place: TableReading
    }

    mutating func people() -> [Person] {
        guard context.hasPeople else { return [] }
        return tables("person").compactMap { table -> Person? in
            if let subject = table.text("subject") { checkSubject(subject, at: table.position(of: "subject")) }
            let found = key(of: table, role: .phone), identifier = identifier(of: table)
            let places = places(of: table), commands = commands(of: table), times = times(of: table)
            guard let subject = table.text("subject"), let found else { return nil }
            return Person(key: EnrolledKey(
                keyIdentifier: identifier ?? found.key.usualKeyIdentifier, key: found.key, use: found.use, subject: subject, scope: commands,
                audiences: places, notBefore: times.notBefore, expiresAt: times.expiresAt,
                userVerification: table.flag("user-verified") ?? false), place: table)
        }
    }

    /// Each key is one person's, and no issuer's.
    mutating func checkKeys(of people: [Person], _ issuers: [Issuer]) {
        var first: [PublicKey: TableReading] = [:]
        for (key, place) in issuers.map({ ($0.issuer.key, $0.place) }) + people.map({ ($0.key.key, $0.place) }) {
            if let earlier = first[key] {
                issues.error("key-used-twice", at: place.position, "\(place.path) has the key of \(earlier.path) (line \(earlier.position.line)).")
            } else {
                first[key] = place
            }
        }
    }

    /// A command that all who may run it are refused, for none of them has a key that says what it wants. An issuer's tokens may say it.
    mutating func checkSecondFactors(of people: [Person], _ issuers: [Issuer]) {
        guard issuers.isEmpty else { return }
        for command in context.guardedCommands {
            let allowed = people.filter { $0.key.scope.contains(command.name) }
            guard let first = allowed.first, !allowed.contains(where: \.key.userVerification) else { continue }
            issues.warning("second-factor-of-nobody", at: first.place.position,
                           "The command \"\(command.name)\" of the lane \"\(command.lane)\" wants a second factor, and nobody who may run it has "
                               + "user-verified = true: all of them are refused.")
        }
    }

    // Keys --------------------------------------------------------------------------------------

    mutating func key(of table: TableReading, role: KeyRole) -> (key: PublicKey, use: KeyUse)? {
        switch (table.present.contains("key"), table.present.contains("key-file")) {
        case (true, false):
            return table.text("key").flatMap { point($0, of: table) }.flatMap { secret($0, "key", of: table) }
        case (false, true):
            guard let path = file(named: "key-file", of: table) else { return nil }
            return (role == .phone ? phoneFile(path, of: table) : file(path, of: table, role: role)).flatMap { secret($0, "key-file", of: table) }
        case (true, true), (false, false):
            issues.error("key-needed", at: table.position, "\(table.path) needs exactly one of key and key-file.")
            return nil
        }
    }

    /// The key, unless everybody has its private half.
    private mutating func secret(_ found: (key: PublicKey, use: KeyUse), _ name: String, of table: TableReading) -> (key: PublicKey, use: KeyUse)? {
        guard found.key.isWellKnown else { return found }
        issues.error("key-well-known", at: table.position(of: name), "\(table.path).\(name) is a key of examples, whose private half everybody has: put in the one "
            + "that the phone itself made.")
        return nil
    }

    private mutating func point(_ text: String, of table: TableReading) -> (key: PublicKey, use: KeyUse)? {
        if text.hasPrefix("<") {
            issues.error("key-placeholder", at: table.position(of: "key"), "\(table.path).key says \(text) and is no key yet: put in the one that the phone shows.")
            return nil
        }
        let bytes = (try? Hex.decode(text)) ?? []
        guard bytes.count == 65, bytes[0] == 0x04,
              let key = try? PublicKey(curve: .p256, x: Array(bytes[1..<33]), y: Array(bytes[33...])) else {
            issues.error("bad-key", at: table.position(of: "key"),
                         "\(table.path).key is no point of P-256: 04 and two numbers of 32 bytes, in hexadecimal.")
            return nil
        }
        return (key, table.text("use").flatMap(KeyUse.init(rawValue:)) ?? .sign)
    }

    /// In whichever form the phone's app wrote it.
    private mutating func phoneFile(_ path: String, of table: TableReading) -> (key: PublicKey, use: KeyUse)? {
        let position = table.position(of: "key-file"), wanted = table.text("use").flatMap(KeyUse.init(rawValue:))
        let phone: PhoneKey
        do {
            phone = try PhoneKey(parsing: FileText.read(path, limit: PhoneKey.longest))
        } catch let error as FileReadError {
            issues.error(error.code, at: position, "\(path): \(error.message)")
            return nil
        } catch {
            issues.error("bad-key", at: position, "\(path): \((error as? PhoneKeyError)?.message ?? "It is no key.")")
            return nil
        }
        if let use = phone.use, let wanted, use != wanted {
            issues.error("bad-key", at: table.position(of: "use"), "The key in \(path) is made to \(use.rawValue).")
        }
        return (phone.key, phone.use ?? wanted ?? .sign)
    }

    private mutating func file(_ path: String, of table: TableReading, role: KeyRole) -> (key: PublicKey, use: KeyUse)? {
        let position = table.position(of: "key-file")
        let file: KeyFile
        do {
            file = try KeyFile(parsing: FileText.read(path, limit: KeyFile.longest))
        } catch let error as FileReadError {
            issues.error(error.code, at: position, "\(path): \(error.message)")
            return nil
        } catch {
            issues.error("bad-key", at: position, "\(path): \((error as? KeyFileError)?.message ?? "It is no key file.")")
            return nil
        }
        guard file.signingKey == nil else {
            issues.error("key-is-private", at: position, "\(path) is the PRIVATE half of a key: put the public one in its place, remove it from this machine, and "
                + "count the key as stolen.")
            return nil
        }
        guard file.role == role, file.curve == .p256 else {
            issues.error("bad-key", at: position, "\(path) holds a key of the role \(file.role.rawValue) on \(file.curve); needed is \(role.rawValue) on P-256.")
            return nil
        }
        if let use = table.text("use"), use != file.use.rawValue {
            issues.error("bad-key", at: table.position(of: "use"), "The key in \(path) is made to \(file.use.rawValue).")
        }
        return (file.publicKey, file.use)
    }

    private mutating func identifier(of table: TableReading) -> [UInt8]? {
        guard let text = table.text("kid") else { return nil }
        guard let bytes = try? Hex.decode(text), (1...64).contains(bytes.count) else {
            issues.error("bad-text", at: table.position(of: "kid"), "\(table.path).kid has 1 to 64 bytes, in hexadecimal.")
            return nil
        }
        return bytes
    }

    // Rights ------------------------------------------------------------------------------------

    mutating func places(of table: TableReading) -> [String] {
        distinct("places", in: table).compactMap { text, position -> String? in
            if Place.isAudience(text) { return text }
            issues.error("bad-audience", at: position, "\"\(text)\" is no place: write tapstile:SITE, tapstile:SITE/ZONE or tapstile:SITE/ZONE/LANE.")
            return nil
        }
    }

    mutating func commands(of table: TableReading) -> [String] {
        guard table.present.contains("commands") else { return [TokenClaims.defaultCommand] }
        return distinct("commands", in: table).compactMap { text, position -> String? in
            if TokenClaims.isCommand(text) { return text }
            issues.error("bad-command", at: position, "\"\(text)\" is no command: 1 to 32 bytes of text without spaces.")
            return nil
        }
    }

    mutating func times(of table: TableReading) -> (notBefore: Int64?, expiresAt: Int64?) {
        let notBefore = seconds("not-before", of: table), expiresAt = seconds("expires", of: table)
        if let expiresAt, expiresAt <= notBefore ?? 0 {
            issues.error("times-out-of-order", at: table.position(of: "expires"), "\(table.path) would end before it begins.")
        }
        return (notBefore, expiresAt)
    }

    func seconds(_ key: String, of table: TableReading) -> Int64? {
        table.text(key).flatMap(UTCText.read).map { $0 / 1000 }
    }
}
