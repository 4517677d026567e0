// Readers
