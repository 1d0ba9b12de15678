// The tests that depend on Node itself, for `npm test -- --node`. The gate runs them on the other versions of Node. All other code is
// plain JavaScript on top of these parts, and does not change with the version.

export const NODE_TESTS = [
  // HTTP with Node's server and parser, and sockets.
  'test/protocols/http',
  'test/scenarios/wire/wire.test.ts',
  'test/scenarios/wire/hosts.test.ts',
  // Streams, files and their syncing.
  'test/git/streams',
  'test/git/disk',
  // Threads and child processes.
  'test/threads',
  'test/tasks',
  'test/git/command.test.ts',
  // The SQLite driver, a native module.
  'test/catalog/sqlite',
  // Starting the program, its signals and its end.
  'test/scenarios/process/first-start.test.ts',
  'test/scenarios/process/quiet-start.test.ts',
  'test/scenarios/process/shutdown.test.ts',
]
