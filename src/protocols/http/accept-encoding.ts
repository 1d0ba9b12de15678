// Chooses the content coding of an answer by Accept-Encoding (RFC 9110 §12.5.3).

export type Coding = 'br' | 'gzip' | 'identity'

export interface Preference {
  /** The coding to send. */
  coding: Coding
  /** Whether identity may be sent instead. */
  identity: boolean
}

/** Smallest result first: among codings of equal weight, the first is sent. */
export const CODINGS: readonly Coding[] = ['br', 'gzip', 'identity']
const ITEM = /^([!#$%&'*+.^_`|~0-9a-z-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i
const MAX_CACHED_FIELDS = 64

const IDENTITY: Preference = { coding: 'identity', identity: true }

/**
 * Chooses the supported coding with the greatest weight. Identity is acceptable unless the field excludes it, but comes after every
 * coding that the field names. If nothing is acceptable, the field is ignored (RFC 9110 §12.4.1) and identity is sent.
 */
export function negotiate(field: string | undefined): Preference {
  if (field === undefined) return IDENTITY
  const weights = readWeights(field)
  const rest = weights.get('*')
  const weightOf = (coding: Coding) => weights.get(coding) ?? rest ?? 0
  const identity = weights.get('identity') ?? rest
  const [best = 'identity'] = CODINGS.filter((coding) => weightOf(coding) > 0).toSorted(
    (a, b) => weightOf(b) - weightOf(a),
  )
  return { coding: best, identity: identity !== 0 || best === 'identity' }
}

/** Adds a cache to `negotiate`: browsers send few different fields. */
export function createNegotiator(): typeof negotiate {
  const known = new Map<string, Preference>()
  return (field) => {
    if (field === undefined) return IDENTITY
    const found = known.get(field)
    if (found !== undefined) return found
    const preference = negotiate(field)
    if (known.size >= MAX_CACHED_FIELDS) known.clear()
    known.set(field, preference)
    return preference
  }
}

/** Reads the weights by lower-case coding; `x-gzip` counts as gzip. Ignores malformed items. */
function readWeights(field: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const item of field.split(',')) {
    const [, name, weight = '1'] = ITEM.exec(item.trim()) ?? []
    if (name !== undefined) weights.set(name.toLowerCase().replace(/^x-gzip$/, 'gzip'), Number(weight))
  }
  return weights
}
