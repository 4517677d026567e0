/// The search for the role that describes a target (TUF specification, 5.6.7): every role before those that it
/// delegates to, these in their order, no role twice. It knows the ways and no files.
struct Search: Hashable, Sendable {
    let path: TargetPath
    /// The roles asked so far, in that order.
    private(set) var visited: [RoleName] = []
    /// The ways not gone yet, the next one last.
    private var open: [Edge]

    /// Begins with the top role.
    init(_ path: TargetPath, from top: Edge) {
        self.path = path
        open = [top]
    }

    /// The next role to ask, which counts as asked; nil when there is none left.
    mutating func next() -> Edge? {
        while let edge = open.popLast() {
            if visited.contains(edge.role) { continue }
            visited.append(edge.role)
            return edge
        }
        return nil
    }

    /// Goes on to the roles that the last one delegates to. A terminating delegation ends all ways behind it, also
    /// those that other roles left open.
    mutating func descend(into metadata: TargetsMetadata) {
        let (edges, isTerminated) = metadata.edges(for: path)
        if isTerminated { open = [] }
        open += edges.reversed()
    }
}
