import Encoding

/// The phone's answer to SELECT: an FCI template with the versions it speaks and its message_1
/// (ISO/IEC 7816-4, 7.4.3). Other data objects in it are ignored.
public struct SelectAnswer: Hashable, Sendable {
    /// Versions, the preferred one first.
    public let versions: [UInt8]
    public let message1: [UInt8]

    public init(versions: [UInt8] = [UInt8(PhoneProtocolProfile.version)], message1: [UInt8]) {
        self.versions = versions
        self.message1 = message1
    }

    /// The data of the response.
    public var encoded: [UInt8] {
        BERTLV(tag: PhoneProtocolProfile.fileControlTag, children: [
            BERTLV(tag: PhoneProtocolProfile.proprietaryTag, children: [
                BERTLV(tag: PhoneProtocolProfile.versionsTag, value: versions),
                BERTLV(tag: PhoneProtocolProfile.messageTag, value: message1)
            ])
        ]).encoded
    }

    /// Reads the data of the response; nil if it is no such FCI.
    public init?(parsing data: [UInt8]) {
        guard let template = try? BERTLV.parseOne(data), template.tag == PhoneProtocolProfile.fileControlTag,
              let proprietary = try? template.children().first(tag: PhoneProtocolProfile.proprietaryTag),
              let objects = try? proprietary.children(),
              let versions = objects.first(tag: PhoneProtocolProfile.versionsTag), !versions.value.isEmpty,
              let message = objects.first(tag: PhoneProtocolProfile.messageTag)
        else { return nil }
        self.init(versions: versions.value, message1: message.value)
    }
}
