// Corrects arguments that a model named or wrote wrongly, if they can mean only one thing: `content` for `html`, `v3` for version 3.

import type { Argument } from '../tools/tool-schemas.js'

type Fields = Record<string, unknown>

/** Other names that models give arguments. One is taken only where the tool has no argument of that name. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  id: ['path', 'collectionId', 'collection', 'changeRequest', 'number'],
  path: ['id'],
  html: ['content', 'text'],
  text: ['content'],
  oid: ['commit', 'id'],
  commits: ['commit'],
  q: ['query'],
}

/** Arguments that are ranges of lines or characters. */
const RANGES = new Set(['lines', 'chars'])

export function fitSlips(known: ReadonlyMap<string, Argument>, sent: Fields): Fields {
  const fitted: Fields = { ...sent }
  for (const [name, others] of Object.entries(OTHER_NAMES)) {
    if (!known.has(name) || fitted[name] !== undefined) continue
    const other = others.find((candidate) => fitted[candidate] !== undefined && !known.has(candidate))
    if (other === undefined) continue
    fitted[name] = fitted[other]
    delete fitted[other]
  }
  for (const [name, value] of Object.entries(fitted)) {
    if (RANGES.has(name)) fitted[name] = rangeOf(value)
    else if (name === 'version' && typeof value === 'string') fitted[name] = value.replace(/^v(?=[0-9]+$)/, '')
  }
  return fitted
}

/** Writes `2`, `"2"` and `[1, 2]` as ranges; anything else stays. */
function rangeOf(value: unknown): unknown {
  if (Array.isArray(value) && value.length === 2) return `${value[0]}-${value[1]}`
  return /^[1-9][0-9]*$/.test(String(value)) ? `${String(value)}-${String(value)}` : value
}
