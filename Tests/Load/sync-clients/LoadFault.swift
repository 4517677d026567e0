import SiteData

/// What went wrong, in words.
struct LoadFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// The code of what a gate refuses, or else what the error says of itself.
    static func code(of error: any Error) -> String {
        switch error {
        case let refusal as UpdateRefusal: refusal.code
        case let refusal as BundleError: refusal.code
        default: "\(error)"
        }
    }
}
