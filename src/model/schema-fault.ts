// Describes in plain English why a value does not fit its JSON Schema, in words to follow the field's name.

/** An error as AJV reports it. */
export interface SchemaFault {
  keyword: string
  params: Record<string, unknown>
  message?: string | undefined
}

type Limits = Readonly<Record<string, (limit: unknown) => string>>

/** Descriptions of keywords whose parameter is `limit`. */
const LIMITS: Limits = {
  minLength: (limit) => (limit === 1 ? 'is empty' : `is shorter than ${text(limit)} characters`),
  maxLength: (limit) => `is longer than ${text(limit)} characters`,
  minItems: (limit) => (limit === 1 ? 'is empty' : `has fewer than ${text(limit)} entries`),
  maxItems: (limit) => `has more than ${text(limit)} entries`,
  minProperties: (limit) => (limit === 1 ? 'is empty' : `has fewer than ${text(limit)} fields`),
  maxProperties: (limit) => `has more than ${text(limit)} fields`,
  minimum: (limit) => `is less than ${text(limit)}`,
  maximum: (limit) => `is greater than ${text(limit)}`,
  exclusiveMinimum: (limit) => `must be greater than ${text(limit)}`,
  exclusiveMaximum: (limit) => `must be less than ${text(limit)}`,
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  'date-time': 'a time such as 2026-11-21T10:00:00Z',
  date: 'a date such as 2026-11-21',
  email: 'an e-mail address',
  uri: 'a URL',
}

/** Names that other services give the wish for a draft. */
const DRAFT_WISHES = new Set(['status', 'state', 'draft', 'published', 'publish', 'visibility'])

/** Describes an unknown field that asks for a draft; undefined for any other. Who meant a draft must not publish by leaving it out. */
export function describeDraftWish(name: string, known: readonly string[]): string | undefined {
  if (!DRAFT_WISHES.has(name) || !['dryRun', 'html'].some((field) => known.includes(field))) return undefined
  return 'is not known: this publishes at once. changeRequest=new writes a draft; dryRun=true shows what it would do'
}

/** Describes a fault: `is longer than 100 characters`. */
export function describeFault({ keyword, params, message }: SchemaFault): string {
  const limit = Object.hasOwn(LIMITS, keyword) ? LIMITS[keyword] : undefined
  if (limit !== undefined) return limit(params['limit'])
  switch (keyword) {
    case 'type':
      return `must be ${[params['type']].flat().map(withArticle).join(' or ')}`
    case 'const':
      return `must be ${text(params['allowedValue'])}`
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).map(text).join(', ')}`
    case 'format':
      return `must be ${FORMATS[String(params['format'])] ?? `of the format "${String(params['format'])}"`}`
    case 'pattern':
      return `must match the pattern ${String(params['pattern'])}`
    case 'multipleOf':
      return `must be a multiple of ${text(params['multipleOf'])}`
    case 'uniqueItems':
      return `holds the same entry twice: ${text(params['j'])} and ${text(params['i'])}`
    case 'required':
      return 'is required'
    case 'dependentRequired':
      return `also needs the field ${text(params['missingProperty'])}`
    case 'anyOf':
    case 'oneOf':
      return params['passingSchemas'] ? 'fits more than one of the allowed forms' : 'fits none of the allowed forms'
    default:
      return message ?? 'is not valid'
  }
}

function withArticle(type: unknown): string {
  if (type === 'null') return 'null'
  return `${/^[aio]/.test(String(type)) ? 'an' : 'a'} ${String(type)}`
}

function text(value: unknown): string {
  return JSON.stringify(value)
}
