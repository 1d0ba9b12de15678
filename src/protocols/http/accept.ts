// Tells whether a client prefers one media type to another by its Accept field (RFC 9110 §12.5.1).

/** Whether the field names `type` itself, with a weight above 0 that is at least that of `other`. A `*` can match `other`. */
export function prefersNamed(field: string | undefined, type: string, other: string): boolean {
  if (field === undefined || !field.toLowerCase().includes(type)) return false
  const weights = readWeights(field)
  const wanted = weights.get(type) ?? 0
  const rest = weights.get(other) ?? weights.get(`${other.split('/', 1)[0]}/*`) ?? weights.get('*/*') ?? 0
  return wanted > 0 && wanted >= rest
}

/** Reads the weights by media range without parameters; of repeated ranges the highest. Malformed weights count as 0. */
function readWeights(field: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const item of field.toLowerCase().split(',')) {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '') ?? '1'
    const value = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0
    weights.set(range, Math.max(weights.get(range) ?? 0, value))
  }
  return weights
}
