// Makes canonical JSON of clients' values. A task sorts values of many fields: that takes up to a second.

import { canonicalJson, hasMoreFields, hasSortedKeys } from '../../repository/format/canonical-json.js'
import type { Tasks } from '../../tasks/tasks.js'

/** Sorting so many fields takes some 10 ms. */
const MAX_FIELDS_HERE = 5_000

/** Returns the canonical JSON. `json` is the value as JSON, if the caller has it. Throws `queue_full`. */
export async function sortedJson(tasks: Tasks, workspaceId: string, value: unknown, json?: string): Promise<string> {
  if (hasSortedKeys(value)) return json ?? JSON.stringify(value)
  if (!hasMoreFields(value, MAX_FIELDS_HERE)) return canonicalJson(value)
  return await tasks.run('canonicalJson', json ?? JSON.stringify(value), { workspaceId })
}
