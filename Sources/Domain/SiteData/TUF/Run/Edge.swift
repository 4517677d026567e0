/// One way to a role that describes targets: the role, and who must have signed it as the role says from which the
/// way comes. A file that one role's keys have signed is nothing to another role that names other keys.
struct Edge: Hashable, Sendable {
    let role: RoleName
    let signers: Signers
}

extension TargetsMetadata {
    /// The ways on to roles that may describe a target, in the order in which they are asked; none after a terminating one.
    func edges(for path: TargetPath) -> (edges: [Edge], isTerminated: Bool) {
        var edges: [Edge] = []
        for delegation in delegations where delegation.covers(path) {
            edges.append(Edge(role: delegation.role, signers: Signers(delegation.keys, of: keys)))
            if delegation.isTerminating { return (edges, true) }
        }
        return (edges, false)
    }
}
