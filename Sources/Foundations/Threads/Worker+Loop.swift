extension Worker {
    /// Starts a thread that is one of `loops` until its body returns. The body gets the loop to declare with.
    public convenience init(name: String, stackBytes: Int = Worker.defaultStackBytes, loops: Loops,
                            body: @escaping @Sendable (Loop) -> Void) throws(SystemError) {
        // Before the thread: one that never gets to run is missed too.
        let loop = loops.add(name)
        do throws(SystemError) {
            try self.init(name: name, stackBytes: stackBytes) {
                loop.carry(body)
                loops.remove(loop)
            }
        } catch {
            loops.remove(loop)
            throw error
        }
    }
}
