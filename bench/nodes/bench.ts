// Measures nodes on a shared database, by turns with the embedded service on the same machine.

import type { Row } from '../ground/row.js'
import { benchNodePublishing } from './publishing.js'
import { benchNodeReading } from './reading.js'
import { benchCatchUp, benchNodeStarts } from './starting.js'

/** Each is also a bench of its own: all together take long. */
export const NODE_BENCHES: Record<string, () => Promise<Row[]>> = {
  'nodes-publishing': benchNodePublishing,
  'nodes-reading': benchNodeReading,
  'nodes-starting': () => benchNodeStarts(),
  'nodes-catching-up': () => benchCatchUp(),
}

export async function benchNodes(): Promise<Row[]> {
  const rows: Row[] = []
  for (const bench of Object.values(NODE_BENCHES)) rows.push(...(await bench()))
  return rows
}
