// Nodes on a shared database, in turns with the embedded service on the same machine.

import type { Row } from '../ground/row.js'
import { benchNodePublishing } from './publishing.js'
import { benchNodeReading } from './reading.js'
import { benchCatchUp, benchNodeStarts } from './starting.js'

export async function benchNodes(): Promise<Row[]> {
  return [
    ...(await benchNodePublishing()),
    ...(await benchNodeReading()),
    ...(await benchNodeStarts()),
    ...(await benchCatchUp()),
  ]
}
