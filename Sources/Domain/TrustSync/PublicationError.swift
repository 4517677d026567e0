import Encoding
import SiteRules

/// Why a publication is refused. Nothing of a refused publication may be used.
public enum PublicationError: Error, Hashable, Sendable {
    /// There is no signed structure at the beginning, or it is not in its one form.
    case notAPublication
    /// The signed structure is longer than `SitePublication.longestManifest`.
    case manifestTooLong
    /// The site key did not sign it.
    case badSignature
    /// It was signed by the site key for something else than a publication.
    case wrongContentType
    /// The manifest lacks a field, or has one of a wrong type or range.
    case malformedManifest
    /// The format is not known to this version.
    case unsupportedFormat(UInt64)
    /// It is the publication of another site.
    case wrongSite
    /// It is older than the one this gate has.
    case rollback(have: UInt64, given: UInt64)
    /// It has the version of the one this gate has, and another body.
    case versionReused(UInt64)
    /// It has expired.
    case expired
    /// It was issued further in the future than a clock may be wrong, or ten years after the gate's program was built.
    case issuedInFuture
    /// The body has more bytes than the manifest says.
    case bodyTooLong
    /// The input ended before the body did.
    case truncated
    /// The body has another SHA-256 than the manifest says.
    case wrongBodyHash
    /// The body has other numbers of records than the manifest says.
    case wrongCounts
    /// A record is longer than `SitePublication.longestRecord`.
    case recordTooLong(offset: UInt64)
    /// A record is not deterministic CBOR, or has a wrong shape or value; the offset is that in the body.
    case malformedRecord(offset: UInt64)
    /// A name of a record has something in it that nobody would see, or a loose blank (`NameRule`).
    case forbiddenName(String, NameFlaw)
    /// A record is of a kind that this version does not know.
    case unknownRecord(offset: UInt64)
    /// An issuer of tokens and an issuer of gates have the same name.
    case sharedIssuer(String)
    /// A key speaks for two: the site, a gate, an issuer, a person.
    case keyOfTwoRoles(thumbprint: [UInt8])
    /// The rules together are longer than `SitePublication.longestRules`.
    case rulesTooLong
    /// Two records decide about one thing; the words say about which.
    case duplicateRule(SiteRulesError)
    /// The reader was given more after it had refused or finished.
    case finished
    /// The manifest could not be signed.
    case signingFailed
}
