/// Why a measurement could not be taken.
struct BenchError: Error {
    /// A sentence for people.
    let message: String

    init(_ message: String) { self.message = message }
}
