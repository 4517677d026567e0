#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast macro, which Swift does not import: these copy what they are given.
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    // A NULL pointer would bind NULL instead of an empty blob.
    return sqlite3_bind_blob(statement, index, count == 0 ? "" : bytes, count, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *utf8, int count) {
    return sqlite3_bind_text(statement, index, count == 0 ? "" : utf8, count, SQLITE_TRANSIENT);
}

static inline void csqlite_result_blob(sqlite3_context *context, const void *bytes, int count) {
    sqlite3_result_blob(context, count == 0 ? "" : bytes, count, SQLITE_TRANSIENT);
}

// Extended result codes are expressions, which Swift does not import.
enum {
    CSQLITE_IOERR_FSYNC = SQLITE_IOERR_FSYNC,
    CSQLITE_IOERR_WRITE = SQLITE_IOERR_WRITE,
    CSQLITE_IOERR_READ = SQLITE_IOERR_READ,
    CSQLITE_IOERR_NOMEM = SQLITE_IOERR_NOMEM,
    CSQLITE_IOERR_CORRUPTFS = SQLITE_IOERR_CORRUPTFS,
    CSQLITE_IOERR_SHORT_READ = SQLITE_IOERR_SHORT_READ,
};

// sqlite3_db_config is variadic. After this no trigger of a file runs, and no view of it is read.
static inline int csqlite_no_triggers_or_views(sqlite3 *connection) {
    int result = sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
    return result != SQLITE_OK ? result : sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
}

// After this, closing the last connection neither empties nor removes
// the write-ahead log: a damaged database is set aside together with it.
static inline int csqlite_keep_log_on_close(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
