// Root hook (mocha --require): the threads and processes of services in tests run from the bundle, as they are shipped.
// A thread starts in half the time, and the suite starts some 1,500 of them.

import { ENTRIES } from '../../src/threads/entries.js'

const bundled = Object.entries(ENTRIES).map(([name, { href }]) => [
  name,
  new URL(href.replace('/dist/src/', '/dist/program/')),
])
Object.assign(ENTRIES, Object.fromEntries(bundled))
