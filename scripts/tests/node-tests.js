// The tests that depend on Node itself, which `npm test -- --node` runs: the gate runs them on the other versions of Node. All else is
// plain JavaScript on top of these, and does not change with the version.

export const NODE_TESTS = [
  // HTTP as Node's server and parser speak it, and sockets.
  'test/http',
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
  // The program's start, its signals and its end.
  'test/scenarios/process/first-start.test.ts',
  'test/scenarios/process/shutdown.test.ts',
]
