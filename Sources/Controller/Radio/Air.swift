import Radio

/// The radios of a gate and who serves them.
struct Air: Sendable {
    let radios: Radios
    let desks: RadioDesks
}
