// Canonical JSON of what clients send. Values of many fields are put in order by a task: that takes up to a second.

import { canonicalJson, hasMoreFields, hasSortedKeys } from '../../store/format/canonical-json.js'
import type { Tasks } from '../../tasks/tasks.js'

/** That takes some 10 ms. */
const MAX_FIELDS_HERE = 5_000

/** `json` is the value's own, where it is known. Throws `queue_full`. */
export async function sortedJson(tasks: Tasks, workspaceId: string, value: unknown, json?: string): Promise<string> {
  if (hasSortedKeys(value)) return json ?? JSON.stringify(value)
  if (!hasMoreFields(value, MAX_FIELDS_HERE)) return canonicalJson(value)
  return await tasks.run('canonicalJson', json ?? JSON.stringify(value), { workspaceId })
}
