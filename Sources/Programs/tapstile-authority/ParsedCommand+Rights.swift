import Authority
import CommandLineOptions
import Cryptography
import Encoding
import Service

extension ParsedCommand {
    /// The rights that the options give.
    /// - Parameter defaultSeconds: how long they last if nothing says it; nil: without end.
    func rights(now: Int64, defaultSeconds: Int64?) throws(CommandLineError) -> Rights {
        let notBefore = try time("not-before")
        if has("valid") { try refuse(["expires"], beside: "valid") }
        let seconds = try seconds("valid") ?? defaultSeconds
        var rights = Rights(audiences: values("audience"), notBefore: notBefore)
        if let scope = value("scope") { rights.scope = scope.split(separator: " ").map(String.init) }
        if value("expires") == "never" { return rights }
        rights.expiresAt = try time("expires") ?? seconds.map { (notBefore ?? now) + $0 }
        return rights
    }

    /// UNIX seconds; nil when the option was not given.
    func time(_ option: String) throws(CommandLineError) -> Int64? {
        guard let text = value(option) else { return nil }
        guard let milliseconds = UTCText.read(text), milliseconds >= 0 else {
            throw .badValue(option: option, value: text, wanted: "a time in UTC such as 2025-01-31T08:00:00Z")
        }
        return milliseconds / 1000
    }

    /// Bytes in hexadecimal; nil when the option was not given.
    func hexadecimal(_ option: String) throws(CommandLineError) -> [UInt8]? {
        guard let text = value(option) else { return nil }
        do throws(HexError) { return try Hex.decode(text) } catch {
            throw .badValue(option: option, value: text, wanted: "hexadecimal")
        }
    }

    /// The thumbprint of a phone's key, given as such or by a file; nil when the option was not given.
    func thumbprint(_ option: String) throws -> [UInt8]? {
        guard let given = value(option) else { return nil }
        return try digest(given) ?? Authority.phoneKey(at: given).key.thumbprint
    }

    /// What the key does; nil when the option was not given.
    func use() throws(CommandLineError) -> KeyUse? {
        guard let text = value("use") else { return nil }
        guard let use = KeyUse(rawValue: text) else { throw .badValue(option: "use", value: text, wanted: "sign or agree") }
        return use
    }
}
