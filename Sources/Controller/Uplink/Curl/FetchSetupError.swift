/// This libcurl does not take an option.
struct FetchSetupError: Error {
    /// Its number (curl.h).
    let option: Int
    /// libcurl's words.
    let words: String
}
