// The entry of a task process that cannot start: it ends before it is ready.

process.exit(1)
