// Checks a request's parameters and body against its route's schemas. Each schema is compiled at the first request that needs it, so that a
// start does not pay for it.

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { TObject } from 'typebox'
import { type ErrorCode, ServiceError } from '../../../model/errors.js'
import { hasFewValues } from '../../../model/few-values.js'
import { describeDraftWish, describeFault } from '../../../model/schema-fault.js'
import { addLengthKeywords } from '../../../texts/length-keywords.js'

export type Check = (input: unknown) => void

interface FieldError {
  field: string
  message: string
}

const MAX_ERRORS = 20

/** Options of AJV. A test proves that the schemas are valid: checking that here would cost as much as compiling ten of them. */
export const SCHEMA_OPTIONS = { strict: true, strictRequired: false, discriminator: true, verbose: true } as const

const [firstFault, allFaults] = [false, true].map((allErrors) =>
  addLengthKeywords(
    addFormats.default(new Ajv2020({ ...SCHEMA_OPTIONS, allErrors, meta: false, validateSchema: false })),
  ),
) as [Ajv2020, Ajv2020]

/**
 * Makes a check that throws `code` with every wrong field, or with the first one if the input is large. For an unknown field, the message
 * lists the known ones.
 */
export function createCheck(schema: TObject, code: ErrorCode, what: string): Check {
  return (input) => {
    // AJV keeps compiled schemas; the one for all faults is compiled at the first refusal.
    const isValid: ValidateFunction = firstFault.compile(schema)
    if (isValid(input)) return
    const validate = hasFewValues(input) ? allFaults.compile(schema) : isValid
    if (validate !== isValid) validate(input)
    const details = distinct((validate.errors ?? []).slice(0, MAX_ERRORS))
    const [first] = details
    const more = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : ''
    throw new ServiceError(code, `${what} is not valid: ${first?.field || what} ${first?.message}${more}.`, details)
  }
}

/** Returns one fault for each field and message. If a field has a wrong format, its pattern fault is left out: it says no more. */
function distinct(errors: readonly ErrorObject[]): FieldError[] {
  const malformed = new Set(
    errors.filter(({ keyword }) => keyword === 'format').map(({ instancePath }) => instancePath),
  )
  const told = errors.filter(({ keyword, instancePath }) => keyword !== 'pattern' || !malformed.has(instancePath))
  return [...new Map(told.map(describe).map((error) => [`${error.field} ${error.message}`, error])).values()]
}

/** Lists the values of the field that selects a schema. */
function valuesOf({ params, parentSchema }: ErrorObject): string {
  const { oneOf = [] } = parentSchema as { oneOf?: TObject[] }
  return oneOf.map(({ properties }) => (properties[String(params['tag'])] as { const?: string }).const).join(', ')
}

function describe(error: ErrorObject): FieldError {
  const { instancePath, keyword, params, parentSchema } = error
  switch (keyword) {
    case 'additionalProperties': {
      const { properties } = parentSchema as TObject
      const known = Object.keys(properties).toSorted()
      const name = String(params['additionalProperty'])
      const message = describeDraftWish(name, known) ?? `is not known here; known are: ${known.join(', ') || 'none'}`
      return { field: `${instancePath}/${name}`, message }
    }
    case 'discriminator':
      return { field: `${instancePath}/${String(params['tag'])}`, message: `must be one of ${valuesOf(error)}` }
    case 'format':
      return { field: instancePath, message: describeFault(error) + meaningOf(error) }
    case 'required':
      return { field: `${instancePath}/${String(params['missingProperty'])}`, message: 'is required' }
    default:
      return { field: instancePath, message: describeFault(error) }
  }
}

/** Returns the first sentence of a UUID's description: a slug or a name is often sent in its place. */
function meaningOf({ params, parentSchema }: ErrorObject): string {
  const { description } = parentSchema as { description?: string }
  if (params['format'] !== 'uuid' || description === undefined) return ''
  const [sentence = ''] = description.split(/\.(?:\s|$)/, 1)
  return `: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
}
