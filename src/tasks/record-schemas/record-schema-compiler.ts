// Turns a record schema into a function that checks records. Runs only in a task process: a schema within its bounds can still take
// exponential time, and only the task's deadline bounds that.

import { Ajv, type ErrorObject, type Options } from 'ajv'
import type { RegExpEngine } from 'ajv/dist/types/index.js'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { makeLinearFormats } from './record-formats.js'
import { compilePattern, PatternRefused } from '../../texts/linear-pattern.js'
import { describeFault } from '../../model/schema-fault.js'
import { type Dialect, dialectOf, escapePointer, type FieldError, SCHEMA_DIALECT } from './record-schema.js'

/** More errors than these are of no use. */
const MAX_ERRORS = 20
const MAX_MESSAGE_LENGTH = 300

export type CheckRecord = (data: unknown) => FieldError[]

/** The reasons why a schema cannot be used. */
export class SchemaRefused extends Error {
  readonly errors: FieldError[]

  constructor(errors: FieldError[]) {
    super('the schema cannot be used')
    this.errors = errors
  }
}

/** Ajv's `code.regExp`: for `pattern` and `patternProperties`. `code` is Ajv's name for it in stand-alone code, which we never make. */
const linearPatterns: RegExpEngine = Object.assign((source: string) => compilePattern(source), {
  code: 'compilePattern',
})

interface DialectRow {
  /** The name that the class has for its meta-schema. */
  metaSchema: string
  make: (options: Options) => Ajv | Ajv2019 | Ajv2020
}

const DIALECTS: Readonly<Record<Dialect, DialectRow>> = {
  '2020-12': { metaSchema: SCHEMA_DIALECT, make: (options) => new Ajv2020(options) },
  '2019-09': {
    metaSchema: 'https://json-schema.org/draft/2019-09/schema',
    make: (options) => new Ajv2019(options),
  },
  'draft-07': {
    metaSchema: 'http://json-schema.org/draft-07/schema',
    // Keywords beside $ref are ignored (draft-wright-json-schema-01 §8). Ajv checks `type` all the same.
    make: (options) => new Ajv({ ...options, ignoreKeywordsWithRef: true }),
  },
}

const shared: Options = {
  // Unknown keywords and formats are annotations, as in JSON Schema.
  strict: false,
  allErrors: true,
  logger: false,
  formats: makeLinearFormats(),
  // Ajv's optimiser takes longer than it saves: half the time of compiling a large schema.
  code: { regExp: linearPatterns, optimize: false },
}

const metaSchemas = new Map<Dialect, ReturnType<(typeof DIALECTS)[Dialect]['make']>>()

/** Throws `SchemaRefused`. The function it returns throws it too, for a schema that refers to itself without end. */
export function compileRecordSchema(schema: object): CheckRecord {
  const dialect = dialectOf(schema) ?? '2020-12'
  checkMetaSchema(schema, dialect)
  const validate = compile(schema, dialect)
  return (data) => {
    try {
      return validate(data) ? [] : readErrors(validate.errors, describeRecordError)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw new SchemaRefused([{ field: '', message: 'refers to itself without end' }])
    }
  }
}

function checkMetaSchema(schema: object, dialect: Dialect): void {
  const known = metaSchemas.get(dialect) ?? DIALECTS[dialect].make(shared)
  metaSchemas.set(dialect, known)
  if (known.validateSchema({ ...schema, $schema: DIALECTS[dialect].metaSchema }) === true) return
  throw new SchemaRefused(readErrors(known.errors, describeSchemaError))
}

function compile(schema: object, dialect: Dialect) {
  // An instance for each schema: one tenant's $id must never answer another's $ref. Without the meta-schemas in it, and without a loader, a
  // schema can refer to nothing outside the document. Inlining could make a small schema's code huge.
  const own = { meta: false, validateSchema: false, inlineRefs: false, ownProperties: true }
  const ajv = DIALECTS[dialect].make({ ...shared, ...own })
  if ('$async' in schema)
    throw new SchemaRefused([{ field: '/$async', message: 'is not a keyword of JSON Schema: leave it out' }])
  try {
    return ajv.compile(schema)
  } catch (error) {
    throw new SchemaRefused([describeRefusal(schema, error)])
  }
}

function describeRefusal(schema: object, error: unknown): FieldError {
  if (error instanceof Ajv.MissingRefError) {
    const { missingRef } = error
    // The error holds the resolved reference: the text in the schema is the end of it.
    const field = findPointer(
      schema,
      (key, value) => isReference(key) && typeof value === 'string' && missingRef.endsWith(value),
    )
    return { field, message: `refers to "${shorten(missingRef)}", which is not in this schema: copy it into $defs` }
  }
  if (error instanceof PatternRefused) {
    const { source } = error
    const field = findPointer(
      schema,
      (key, value, parent) => (key === 'pattern' ? value : parent === 'patternProperties' && key) === source,
    )
    return {
      field,
      message: 'is not a pattern that runs in linear time: no look-around and no back-references, RE2 syntax',
    }
  }
  return { field: '', message: `cannot be used: ${shorten(error instanceof Error ? error.message : String(error))}` }
}

function isReference(key: string): boolean {
  return key === '$ref' || key === '$dynamicRef' || key === '$recursiveRef'
}

type Matches = (key: string, value: unknown, parent: string) => boolean

/** Returns the JSON pointer of the first place that matches; '' if none does. */
function findPointer(schema: object, matches: Matches): string {
  function search(container: object, parent: string, pointer: string): string | undefined {
    for (const [key, value] of Object.entries(container)) {
      const at = `${pointer}/${escapePointer(key)}`
      if (matches(key, value, parent)) return at
      const found = typeof value === 'object' && value !== null ? search(value, key, at) : undefined
      if (found !== undefined) return found
    }
    return undefined
  }
  return search(schema, '', '') ?? ''
}

function readErrors(
  errors: ErrorObject[] | null | undefined,
  describe: (error: ErrorObject) => FieldError,
): FieldError[] {
  const byField = new Map<string, FieldError>()
  for (const error of errors ?? []) {
    if (byField.size === MAX_ERRORS) break
    // The error inside says which name and why.
    if (error.keyword === 'propertyNames') continue
    const described = describe(error)
    if (!byField.has(described.field)) byField.set(described.field, described)
  }
  return [...byField.values()]
}

function describeSchemaError(error: ErrorObject): FieldError {
  const field = fieldOf(error)
  const isItems = error.keyword === 'type' && field.endsWith('/items')
  return { field, message: shorten(describeFault(error)) + (isItems ? '; a list of schemas is named prefixItems' : '') }
}

function describeRecordError(error: ErrorObject): FieldError {
  const field = fieldOf(error)
  switch (error.keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return { field, message: 'is not a field of this collection' }
    default:
      return { field, message: shorten(describeFault(error)) }
  }
}

/** Returns the faulty field: a missing or superfluous one itself, not the object around it. */
function fieldOf(error: ErrorObject): string {
  const { missingProperty, additionalProperty, unevaluatedProperty } = error.params
  const name: unknown = missingProperty ?? additionalProperty ?? unevaluatedProperty ?? error.propertyName
  return typeof name === 'string' ? `${error.instancePath}/${escapePointer(name)}` : error.instancePath
}

function shorten(text: string): string {
  return text.length <= MAX_MESSAGE_LENGTH ? text : `${text.slice(0, MAX_MESSAGE_LENGTH)}…`
}
