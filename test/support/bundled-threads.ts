// Root hook (mocha --require): the threads and processes of services in tests run from the bundle, as they are shipped.
// A thread starts in half the time, and the suite starts some 1,500 of them. Stack traces name lines of TypeScript in this process
// alone: with node's option for it, every thread and process would parse the maps of the bundle, which takes as long again.

import { ENTRIES } from '../../src/threads/entries.js'

const bundled = Object.entries(ENTRIES).map(([name, { href }]) => [
  name,
  new URL(href.replace('/dist/src/', '/dist/program/')),
])
Object.assign(ENTRIES, Object.fromEntries(bundled))

process.setSourceMapsEnabled(true)
