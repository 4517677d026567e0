/// What this program can do; the raw values are the names of its commands.
enum PhoneVerb: String, CaseIterable {
    case key
    case tap
    case scan
    case reader
}
