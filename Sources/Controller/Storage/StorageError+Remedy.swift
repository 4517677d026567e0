extension StorageError.Kind {
    /// What whoever stands before the machine can do about it, as a sentence to follow the message. Nil where
    /// there is nothing, or where the message names it.
    var remedy: String? {
        switch self {
        case .diskFull: "Make space; `df -h` shows which file system is full."
        case .readOnly: "See with `mount` whether the file system is read-only, and in `dmesg` why."
        case .inputOutput: "Look for errors of the disk in `dmesg`."
        case .slow: "Look for errors of the disk in `dmesg`."
        case .busy: "Close the other program that has the file open; `fuser` names it."
        case .cannotOpen: "See with `ls -l` that it is there and may be opened by this user."
        case .outOfMemory: "See with `free -m` what is left."
        case .corrupt, .schemaDiffers, .newerSchema, .inUse, .queueFull, .entryTooLarge, .closed, .recordDamaged, .noSiteData, .statement:
            nil
        }
    }
}
