// Writes to a change request as a node, one commit after the other, and prints each once it is acknowledged, until it is killed.

import { publishPage } from '../../../repository/disk/publish-page.js'
import { openNodeStore } from '../node-store.js'

const [, , dataDir = '', databaseUrl = '', id = '', slug = '', request = ''] = process.argv
const site = { id, slug }
const branch = { ...site, request }
const { store, barrier } = await openNodeStore({ dataDir, databaseUrl, sites: [site] })
for (let i = 0; ; i++) {
  // On a busy machine a node that starts may refuse the request for a while.
  do await barrier.untilCurrent()
  while (store.reader.refused.isBehind(branch))
  const commit = await publishPage(store, branch, `/page-${process.pid}-${i}`, `${i}`)
  process.stdout.write(`${commit}\n`)
}
