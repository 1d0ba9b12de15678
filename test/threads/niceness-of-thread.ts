// The priority of the thread that asks, as Linux has it.

import { readFileSync } from 'node:fs'

/** Field 19 of proc(5), stat. */
export function nicenessOfThread(): number {
  const [, fields = ''] = readFileSync('/proc/thread-self/stat', 'latin1').split(') ')
  return Number(fields.split(' ')[16])
}
