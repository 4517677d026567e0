import Glibc

/// The C library's words for an errno (thread-safe since glibc 2.32).
func systemMessage(_ errno: Int32) -> String {
    strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
}
