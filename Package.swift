// swift-tools-version: 6.0
import PackageDescription

// The rooms, lowest first. What a room may import is decided here, and the compiler holds it
// (--explicit-target-dependency-import-check); docs/architecture.md says why.

let cLibraries: [Target] = [
    .systemLibrary(name: "COpenSSL", path: "Sources/Foundations/CLibraries/COpenSSL",
                   pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSQLite", path: "Sources/Foundations/CLibraries/CSQLite",
                   pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CPCSC", path: "Sources/Foundations/CLibraries/CPCSC",
                   pkgConfig: "libpcsclite", providers: [.apt(["libpcsclite-dev"])]),
    .systemLibrary(name: "CGPIOD", path: "Sources/Foundations/CLibraries/CGPIOD",
                   pkgConfig: "libgpiod", providers: [.apt(["libgpiod-dev"])]),
    .systemLibrary(name: "CSystemd", path: "Sources/Foundations/CLibraries/CSystemd",
                   pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CNFC", path: "Sources/Foundations/CLibraries/CNFC",
                   pkgConfig: "libnfc", providers: [.apt(["libnfc-dev"])]),
    // What Debian 13's libcurl.pc says is more than SwiftPM takes, and nothing of it is needed.
    .systemLibrary(name: "CCURL", path: "Sources/Foundations/CLibraries/CCURL", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CMicroHTTPD", path: "Sources/Foundations/CLibraries/CMicroHTTPD",
                   providers: [.apt(["libmicrohttpd-dev", "libgnutls28-dev"])]),
    .systemLibrary(name: "CQREncode", path: "Sources/Foundations/CLibraries/CQREncode", providers: [.apt(["libqrencode-dev"])]),
    .target(name: "CTOML", path: "Sources/Foundations/CLibraries/CTOML",
            cxxSettings: [.define("TOML_EXCEPTIONS", to: "0")]),
    .target(name: "CLinux", path: "Sources/Foundations/CLibraries/CLinux"),
    .target(name: "CBluetooth", path: "Sources/Foundations/CLibraries/CBluetooth"),
]

let pureRooms: [Target] = [
    .target(name: "Vocabulary", path: "Sources/Domain/Vocabulary"),
    .target(name: "Encoding", path: "Sources/Foundations/Encoding"),
    .target(name: "Cryptography", dependencies: ["Encoding", "COpenSSL"],
            path: "Sources/Foundations/Cryptography"),
    .target(name: "Credentials", dependencies: ["Vocabulary", "Encoding", "Cryptography"], path: "Sources/Domain/Credentials"),
    .target(name: "PhoneProtocol", dependencies: ["Encoding", "Cryptography", "Credentials"],
            path: "Sources/Domain/PhoneProtocol"),
    .target(name: "Gate", dependencies: ["Vocabulary", "Encoding", "Cryptography", "Credentials"], path: "Sources/Domain/Gate"),
    .target(name: "SiteData", dependencies: ["Vocabulary", "Encoding", "Cryptography", "Credentials", "SiteRules"],
            path: "Sources/Domain/SiteData"),
    .target(name: "Evidence", dependencies: ["Vocabulary", "Encoding", "Cryptography", "Credentials", "PhoneProtocol"],
            path: "Sources/Domain/Evidence"),
    .target(name: "SiteRules", dependencies: ["Vocabulary", "Encoding"], path: "Sources/Domain/SiteRules"),
    .target(name: "Attestation", dependencies: ["Encoding", "Cryptography"], path: "Sources/Domain/Attestation"),
    .target(name: "ControlProtocol", dependencies: ["Vocabulary", "Encoding"], path: "Sources/Domain/ControlProtocol"),
    .target(name: "ReaderProtocol", dependencies: ["Encoding"], path: "Sources/Domain/ReaderProtocol"),
    .target(name: "Invitations", dependencies: ["Encoding", "Cryptography", "Credentials"], path: "Sources/Domain/Invitations"),
    .target(name: "Spelling", path: "Sources/Foundations/Spelling"),
]

let adapterRooms: [Target] = [
    .target(name: "Threads", dependencies: ["CLinux"], path: "Sources/Foundations/Threads"),
    .target(name: "Files", dependencies: ["Threads", "CLinux"], path: "Sources/Foundations/Files"),
    .target(name: "Storage",
            dependencies: ["Vocabulary", "Encoding", "Cryptography", "Credentials", "SiteRules", "SiteData", "Threads", "Files", "CSQLite", "CLinux"],
            path: "Sources/Controller/Storage"),
    .target(name: "Readers", dependencies: ["Encoding", "ReaderProtocol", "Threads", "Files", "CPCSC", "CLinux"],
            path: "Sources/Controller/Devices/Readers"),
    .target(name: "ChipReaders", dependencies: ["Encoding", "ReaderProtocol", "Threads", "Files", "CNFC", "CLinux"],
            path: "Sources/Controller/Devices/ChipReaders"),
    .target(name: "Uplink", dependencies: ["Encoding", "ControlProtocol", "Threads", "Files", "CCURL", "CLinux"],
            path: "Sources/Controller/Uplink"),
    .target(name: "Radio", dependencies: ["Threads", "Files", "CSystemd", "CBluetooth", "CLinux"],
            path: "Sources/Controller/Devices/Radio"),
    .target(name: "RepositoryFolder", dependencies: ["ControlProtocol", "Threads", "Files", "CLinux"],
            path: "Sources/Controller/RepositoryFolder"),
    .target(name: "Lines", dependencies: ["Threads", "Files", "CGPIOD", "CLinux"],
            path: "Sources/Controller/Devices/Lines"),
    .target(name: "Configuration", dependencies: ["Vocabulary", "Encoding", "Spelling", "Threads", "Files", "CTOML", "CLinux"],
            path: "Sources/Controller/Configuration"),
    .target(name: "SiteFile",
            dependencies: ["Vocabulary", "Encoding", "Cryptography", "Credentials", "SiteRules", "SiteData", "Spelling", "Configuration"],
            path: "Sources/Controller/SiteFile"),
    .target(name: "Service", dependencies: ["Vocabulary", "Encoding", "ControlProtocol", "Threads", "Files", "CSystemd", "CLinux"],
            path: "Sources/Foundations/Service"),
    .target(name: "VirtualPhone",
            dependencies: ["Encoding", "Cryptography", "Credentials", "PhoneProtocol", "Threads", "CLinux"],
            path: "Sources/Phone/VirtualPhone"),
]

// The running gate: one subject, one room. A tap reads Devices, Tap, Lanes. `tapstiled` is the composition root of the whole; tests and
// benchmarks build the same thing with a link in process.
let runningGate: [Target] = [
    .target(name: "AuditJournal",
            dependencies: ["Gate", "Encoding", "Cryptography", "Credentials", "PhoneProtocol", "Evidence", "ControlProtocol", "Threads",
                           "Files", "Storage", "Configuration", "Service"],
            path: "Sources/Controller/Journal"),
    .target(name: "Site",
            dependencies: ["Vocabulary", "Credentials", "Gate", "Threads", "Storage", "Configuration", "SiteFile", "Service",
                           "SiteRules"],
            path: "Sources/Controller/Site"),
    .target(name: "Lanes",
            dependencies: ["Vocabulary", "Encoding", "Credentials", "Gate", "ControlProtocol", "Threads", "Files", "Storage",
                           "Readers", "Lines", "Configuration", "Service", "SiteRules", "CLinux", "AuditJournal", "Site"],
            path: "Sources/Controller/Lanes"),
    .target(name: "Tap",
            dependencies: ["Vocabulary", "Encoding", "Cryptography", "Credentials", "PhoneProtocol", "Gate",
                           "ControlProtocol", "ReaderProtocol", "Threads", "Files", "Storage", "Readers", "Lines",
                           "Configuration", "Service", "SiteRules", "Radio", "AuditJournal", "Site", "Lanes"],
            path: "Sources/Controller/Tap"),
    .target(name: "Sync",
            dependencies: ["Vocabulary", "Encoding", "Credentials", "Gate", "SiteData", "ControlProtocol", "Threads",
                           "Files", "Storage", "Configuration", "Service", "CLinux", "AuditJournal", "Site"],
            path: "Sources/Controller/Sync"),
    .target(name: "Controller",
            dependencies: ["Vocabulary", "Encoding", "Cryptography", "Credentials", "PhoneProtocol", "Gate", "Evidence",
                           "ControlProtocol", "Threads", "Files", "Storage", "Readers", "Lines", "Configuration", "SiteFile",
                           "Service", "SiteRules", "Spelling", "Radio", "CLinux", "AuditJournal", "Site", "Lanes", "Tap",
                           "Sync"],
            path: "Sources/Controller/Daemon"),
]

let programs: [Target] = [
    .target(name: "CommandLineOptions", dependencies: ["Encoding", "Spelling"],
            path: "Sources/Programs/CommandLineOptions"),
    .executableTarget(name: "tapstiled",
                      dependencies: ["Lanes", "CommandLineOptions", "Controller", "Configuration", "Threads", "Service"],
                      path: "Sources/Programs/tapstiled"),
    .executableTarget(name: "tapstile-nfc",
                      dependencies: ["ChipReaders", "CommandLineOptions", "Threads", "Files", "Service", "CLinux"],
                      path: "Sources/Programs/tapstile-nfc"),
    .executableTarget(name: "tapstile-net",
                      dependencies: ["Uplink", "Configuration", "Encoding", "ControlProtocol", "CommandLineOptions", "Threads", "Files", "Service", "CLinux"],
                      path: "Sources/Programs/tapstile-net"),
    .executableTarget(name: "tapstile",
                      dependencies: ["Vocabulary", "CommandLineOptions", "Encoding", "Cryptography", "Evidence", "ControlProtocol", "Configuration", "SiteFile",
                                     "RepositoryFolder", "Threads", "Files", "Service", "CLinux"],
                      path: "Sources/Programs/tapstile"),
    .target(name: "Authority",
            dependencies: ["Vocabulary", "Encoding", "Cryptography", "Credentials", "SiteRules", "SiteData", "Evidence", "Threads", "Files", "Storage",
                           "Configuration", "SiteFile", "Service", "Spelling", "Invitations"],
            path: "Sources/Office/Authority"),
    .target(name: "InvitationDesk",
            dependencies: ["Invitations", "Encoding", "Cryptography", "Credentials", "Configuration", "Storage", "Threads", "Files"],
            path: "Sources/Office/InvitationDesk"),
    .target(name: "QRCode", dependencies: ["CQREncode"], path: "Sources/Office/QRCode"),
    .target(name: "WebServer", dependencies: ["Invitations", "Encoding", "Threads", "Files", "Service", "CMicroHTTPD", "CLinux"], path: "Sources/Office/WebServer"),
    .target(name: "InvitationServer",
            dependencies: ["Attestation", "Invitations", "InvitationDesk", "WebServer", "QRCode", "Encoding", "Cryptography", "Credentials", "Threads", "Files", "Service"],
            path: "Sources/Office/InvitationServer"),
    .executableTarget(name: "tapstile-authority",
                      dependencies: ["Evidence", "Authority", "CommandLineOptions", "Encoding", "Cryptography", "Credentials",
                                     "Invitations", "InvitationDesk", "InvitationServer", "QRCode", "Files", "Threads", "Service", "CLinux"],
                      path: "Sources/Programs/tapstile-authority"),
    .target(name: "PhoneTool",
            dependencies: ["Encoding", "Cryptography", "Credentials", "PhoneProtocol", "Invitations", "VirtualPhone", "Threads",
                           "Files", "Service", "CCURL"],
            path: "Sources/Phone/PhoneTool"),
    .executableTarget(name: "tapstile-phone",
                      dependencies: ["PhoneTool", "CommandLineOptions", "Encoding", "Credentials", "PhoneProtocol",
                                     "VirtualPhone", "Threads", "Service"],
                      path: "Sources/Programs/tapstile-phone"),
    .executableTarget(name: "tapstile-bench",
                      dependencies: ["Tap", "Vocabulary", "CommandLineOptions", "Encoding", "Cryptography", "Credentials", "PhoneProtocol",
                                     "Gate", "SiteRules", "SiteData", "Threads", "Files", "Storage", "Readers", "ReaderProtocol", "ChipReaders", "Lines",
                                     "Configuration", "Service", "Controller", "VirtualPhone", "AttributeServer", "ControlProtocol", "Radio", "RepositoryFolder",
                                     "BroughtFolder", "SignedRepository", "Invitations", "InvitationDesk",
                                     "COpenSSL", "CPCSC", "CNFC", "CSystemd", "CLinux"],
                      path: "Benchmarks/tapstile-bench"),
]

// Small programs that put a room to the question of an independent implementation (Tests/Judges).
let judges: [Target] = [
    .executableTarget(name: "judge-cbor", dependencies: ["Encoding"], path: "Tests/Judges/judge-cbor"),
    .executableTarget(name: "judge-token", dependencies: ["Vocabulary", "Encoding", "Cryptography", "Credentials"],
                      path: "Tests/Judges/judge-token"),
    .executableTarget(name: "judge-attestation", dependencies: ["Encoding", "Cryptography", "Attestation"], path: "Tests/Judges/judge-attestation"),
    .executableTarget(name: "judge-tuf", dependencies: ["Encoding", "SiteData"], path: "Tests/Judges/judge-tuf"),
    .executableTarget(name: "judge-schedule", dependencies: ["Encoding", "SiteRules"], path: "Tests/Judges/judge-schedule"),
    // The gate's client of a TUF repository, alone, for TUF's conformance suite and tests of attacks on repositories.
    .executableTarget(name: "tuf-client",
                      dependencies: ["CommandLineOptions", "Encoding", "Cryptography", "ControlProtocol", "Storage", "SiteData", "RepositoryFolder",
                                     "Threads", "Files", "CLinux"],
                      path: "Tests/Conformance/tuf-client"),
    // The worked exchanges of docs/worked-exchanges.md: recorded once, computed and rendered again by every test.
    .target(name: "WorkedExchanges", dependencies: ["Encoding", "Cryptography", "Credentials", "PhoneProtocol"],
            path: "Tests/WorkedExchanges", exclude: ["recorded.json", "suites.json"]),
    // A second opinion on lanes, and random lives that hold one against the other: a short one in the tests of the room,
    // a million steps in `Fuzzing/run lanes`.
    .target(name: "LaneModel", dependencies: ["Vocabulary", "Credentials", "Gate"], path: "Tests/LaneModel"),
    // A second opinion on the Attribute Protocol: a gate in the same process, for phones over Bluetooth.
    .target(name: "AttributeServer", dependencies: ["VirtualPhone"], path: "Tests/AttributeServer"),
    // How tests wait, and for how long: nothing in them waits for ever.
    .target(name: "Waits", dependencies: ["Threads"], path: "Tests/Waits"),
    // What tests draw at random, the same for the same seed.
    .target(name: "SeededNumbers", path: "Tests/SeededNumbers"),
    // A repository of TUF that says whatever a test wants it to say, signed.
    .target(name: "SignedRepository", dependencies: ["Encoding", "Cryptography", "Credentials", "SiteData", "Files"], path: "Tests/SignedRepository"),
    // Brings a gate in the same process a folder with a repository, as `tapstile import` does.
    .target(name: "BroughtFolder", dependencies: ["Encoding", "ControlProtocol", "Controller", "RepositoryFolder", "Threads", "Files"],
            path: "Tests/BroughtFolder"),
    .executableTarget(name: "worked-exchanges", dependencies: ["WorkedExchanges", "Encoding", "Files"],
                      path: "Tests/Judges/worked-exchanges"),
]

// Programs that tests start and kill.
let victims: [Target] = [
    .executableTarget(name: "journal-writer", dependencies: ["Storage", "Credentials"], path: "Tests/Victims/journal-writer"),
    .executableTarget(name: "invitation-redeemer", dependencies: ["InvitationDesk", "Invitations", "Encoding", "Cryptography", "Threads"],
                      path: "Tests/Victims/invitation-redeemer"),
    .executableTarget(name: "nfc-probe", dependencies: ["Encoding", "CNFC"], path: "Tests/Victims/nfc-probe"),
]

// Many gates at one web server, for `make load` and one scenario.
let load: [Target] = [
    .executableTarget(name: "sync-clients",
                      dependencies: ["CommandLineOptions", "Encoding", "ControlProtocol", "SiteData", "Threads", "Files", "Uplink", "CLinux"],
                      path: "Tests/Load/sync-clients"),
]

// Small programs that try a build where it can run but not be installed.
let smoke: [Target] = [
    .executableTarget(name: "one-tap",
                      dependencies: ["BroughtFolder", "CommandLineOptions", "Configuration", "Controller", "Lines", "PhoneTool", "Readers", "Service",
                                     "Threads", "VirtualPhone"],
                      path: "Tests/Smoke/one-tap"),
]

func tests(_ room: String, _ more: [Target.Dependency] = []) -> Target {
    .testTarget(name: "\(room)Tests", dependencies: [.init(stringLiteral: room)] + more,
                resources: [.copy("Vectors")])
}

let testTargets: [Target] = [
    .testTarget(name: "ThreadsTests", dependencies: ["Threads", "CLinux", "Waits"], path: "Tests/ThreadsTests"),
    .testTarget(name: "FilesTests", dependencies: ["Files", "Threads"], path: "Tests/FilesTests"),
    tests("Encoding"),
    tests("Cryptography", ["Encoding"]),
    tests("Credentials", ["Vocabulary", "Encoding", "Cryptography"]),
    tests("PhoneProtocol", ["Encoding", "Cryptography", "Credentials", "VirtualPhone", "SeededNumbers"]),
    tests("Gate", ["Vocabulary", "Encoding", "Cryptography", "Credentials", "LaneModel", "SeededNumbers"]),
    tests("SiteData", ["Vocabulary", "Encoding", "Cryptography", "Credentials", "SiteRules", "SeededNumbers", "SignedRepository"]),
    .testTarget(name: "EvidenceTests",
                dependencies: ["Evidence", "Encoding", "Cryptography", "Credentials", "PhoneProtocol", "VirtualPhone", "Storage",
                               "Waits"],
                path: "Tests/EvidenceTests"),
    tests("Attestation", ["Encoding", "Cryptography", "Credentials"]),
    tests("SiteRules", ["Vocabulary", "Encoding", "SeededNumbers"]),
    tests("ControlProtocol", ["Encoding"]),
    .testTarget(name: "ReaderProtocolTests", dependencies: ["ReaderProtocol", "Encoding"], path: "Tests/ReaderProtocolTests"),
    tests("Storage", ["Vocabulary", "Encoding", "Cryptography", "Credentials", "SiteRules", "SiteData", "Threads", "CSQLite", "SeededNumbers", "SignedRepository",
                      "Waits"]),
    tests("Readers", ["Encoding", "ReaderProtocol", "Threads", "Files", "VirtualPhone", "CLinux", "Waits"]),
    .testTarget(name: "ChipReadersTests",
                dependencies: ["ChipReaders", "Readers", "ReaderProtocol", "VirtualPhone", "Threads", "Files", "CLinux", "Waits"],
                path: "Tests/ChipReadersTests"),
    .testTarget(name: "UplinkTests", dependencies: ["Uplink", "ControlProtocol", "Encoding", "CCURL", "CLinux"], path: "Tests/UplinkTests"),
    .testTarget(name: "RadioTests", dependencies: ["Radio", "Threads", "Files", "CSystemd", "CLinux", "Waits"], path: "Tests/RadioTests"),
    tests("Lines", ["Waits"]),
    tests("Configuration", ["Vocabulary", "Encoding", "SeededNumbers", "Waits"]),
    tests("SiteFile", ["Configuration", "Encoding", "Cryptography", "Credentials", "SiteRules", "SiteData"]),
    tests("Service", ["Encoding", "ControlProtocol", "Threads", "Files", "CLinux", "Waits"]),
    tests("VirtualPhone", ["Encoding", "Cryptography", "Credentials", "PhoneProtocol", "Threads", "CLinux", "AttributeServer", "SeededNumbers",
                           "Waits"]),
    tests("Controller", ["Sync", "Site", "AuditJournal", "Tap", "Lanes", "Vocabulary", "Encoding", "Cryptography", "Credentials", "PhoneProtocol", "Gate", "SiteData", "Evidence", "ReaderProtocol", "Threads", "Files",
                         "SiteRules", "Storage", "Readers", "Radio", "Lines", "Configuration", "Service", "VirtualPhone", "CLinux", "SeededNumbers",
                         "BroughtFolder", "SignedRepository", "Waits"]),
    .testTarget(name: "AuthorityTests",
                dependencies: ["Vocabulary", "Authority", "Encoding", "Cryptography", "Credentials", "SiteRules", "SiteData", "Evidence", "Threads", "Storage",
                               "Service", "SeededNumbers", "Invitations"],
                path: "Tests/AuthorityTests"),
    .testTarget(name: "InvitationsTests", dependencies: ["Invitations", "Encoding", "Cryptography", "Credentials", "PhoneProtocol", "SeededNumbers"],
                path: "Tests/InvitationsTests"),
    .testTarget(name: "InvitationDeskTests",
                dependencies: ["InvitationDesk", "Invitations", "Encoding", "Cryptography", "Credentials", "Storage", "Threads", "Files", "SeededNumbers", "Waits"],
                path: "Tests/InvitationDeskTests"),
    .testTarget(name: "WebServerTests", dependencies: ["WebServer", "Encoding", "Threads", "Waits"], path: "Tests/WebServerTests"),
    .testTarget(name: "QRCodeTests", dependencies: ["QRCode"], path: "Tests/QRCodeTests"),
    .testTarget(name: "InvitationServerTests",
                dependencies: ["InvitationServer", "InvitationDesk", "Invitations", "WebServer", "Encoding", "Cryptography", "Credentials"],
                path: "Tests/InvitationServerTests"),
    .testTarget(name: "PhoneToolTests",
                dependencies: ["PhoneTool", "Encoding", "Cryptography", "Credentials", "PhoneProtocol", "Invitations", "VirtualPhone",
                               "AttributeServer", "Threads", "Waits"],
                path: "Tests/PhoneToolTests"),
    .testTarget(name: "SpellingTests", dependencies: ["Spelling"], path: "Tests/SpellingTests"),
    .testTarget(name: "CommandLineOptionsTests", dependencies: ["CommandLineOptions", "Encoding"],
                path: "Tests/CommandLineOptionsTests"),
    .testTarget(name: "WorkedExchangesTests",
                dependencies: ["WorkedExchanges", "Encoding", "Cryptography", "Credentials", "PhoneProtocol"],
                path: "Tests/WorkedExchangesTests"),
    .testTarget(name: "ArchitectureTests", path: "Tests/ArchitectureTests"),
]

let package = Package(
    name: "tapstile",
    targets: cLibraries + pureRooms + adapterRooms + runningGate + programs + judges + victims + load + smoke + testTargets,
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
