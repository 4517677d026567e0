import CommandLineOptions
import SiteData

/// What a client of a repository refuses, as it is told: "it" in the sentence is a file of the role before it.
struct RefusedFile: ReportableError {
    private let refusal: UpdateRefusal

    init(_ refusal: UpdateRefusal) { self.refusal = refusal }

    var code: String { refusal.code }
    var message: String { "\(refusal.role): \(refusal.message)" }
}
