import CSystemd

/// Writes into a message of D-Bus. A message that cannot be written is not sent well, and nobody is on the air.
struct BusPen {
    private let message: OpaquePointer

    init(_ message: OpaquePointer) { self.message = message }

    func dictionary(_ types: String, _ body: () -> Void) { container("a", "{\(types)}", body) }

    func entry(_ types: String, _ body: () -> Void) { container("e", types, body) }

    /// One interface of an object, with its properties.
    func interface(_ name: String, _ properties: () -> Void) {
        entry("sa{sv}") {
            text(name)
            dictionary("sv", properties)
        }
    }

    func property(_ name: String, _ type: String, _ value: () -> Void) {
        entry("sv") {
            text(name)
            container("v", type, value)
        }
    }

    func text(_ text: String) { sd_bus_message_append_basic(message, Self.type("s"), text) }

    func path(_ path: String) { sd_bus_message_append_basic(message, Self.type("o"), path) }

    func flag(_ flag: Bool) {
        var number: Int32 = flag ? 1 : 0
        sd_bus_message_append_basic(message, Self.type("b"), &number)
    }

    private func container(_ type: Unicode.Scalar, _ contents: String, _ body: () -> Void) {
        sd_bus_message_open_container(message, Self.type(type), contents)
        body()
        sd_bus_message_close_container(message)
    }

    private static func type(_ letter: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: letter.value) }
}
