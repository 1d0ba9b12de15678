// Which content coding a visitor gets, by Accept-Encoding (RFC 9110 §12.5.3).

export type Coding = 'br' | 'gzip' | 'identity'

/** What a visitor takes: the coding to send, and whether it may be identity instead. */
export interface Preference {
  coding: Coding
  identity: boolean
}

/** The smaller first: among codings of one weight the first is sent. */
const CODINGS: readonly Coding[] = ['br', 'gzip', 'identity']
const ITEM = /^([!#$%&'*+.^_`|~0-9a-z-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i
const MOST_REMEMBERED = 64

const IDENTITY: Preference = { coding: 'identity', identity: true }

/**
 * The supported coding of the greatest weight. Identity is acceptable unless it is excluded, but comes after every coding
 * that is named. Where nothing is acceptable the field is disregarded, as RFC 9110 §12.4.1 allows: identity.
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

/** The same, remembering the answers for the few fields that browsers send. */
export function createNegotiator(): typeof negotiate {
  const known = new Map<string, Preference>()
  return (field) => {
    if (field === undefined) return IDENTITY
    const found = known.get(field)
    if (found !== undefined) return found
    const preference = negotiate(field)
    if (known.size >= MOST_REMEMBERED) known.clear()
    known.set(field, preference)
    return preference
  }
}

/** Weights by lower-case coding; `x-gzip` is gzip. Malformed items name nothing. */
function readWeights(field: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const item of field.split(',')) {
    const [, name, weight = '1'] = ITEM.exec(item.trim()) ?? []
    if (name !== undefined) weights.set(name.toLowerCase().replace(/^x-gzip$/, 'gzip'), Number(weight))
  }
  return weights
}
