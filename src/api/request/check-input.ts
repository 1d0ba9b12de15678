// Checks what a request carries against its route's schemas. Compiled once, when the API is made.

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { TObject } from 'typebox'
import { type ErrorCode, ServiceError } from '../../model/errors.js'

export type Check = (input: unknown) => void

interface FieldError {
  field: string
  message: string
}

const MAX_ERRORS = 20

const ajv = new Ajv2020({ strict: true, allErrors: true, strictRequired: false, discriminator: true, verbose: true })
addFormats.default(ajv)

/** A check that throws `code` with every field at fault; unknown fields are named together with the known ones. */
export function compileCheck(schema: TObject, code: ErrorCode, what: string): Check {
  const validate: ValidateFunction = ajv.compile(schema)
  return (input) => {
    if (validate(input)) return
    const details = distinct((validate.errors ?? []).slice(0, MAX_ERRORS).map(describe))
    const [first] = details
    const more = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : ''
    throw new ServiceError(code, `${what} is not valid: ${first?.field || what} ${first?.message}${more}.`, details)
  }
}

/** `format` and `pattern` say the same of one field. */
function distinct(errors: FieldError[]): FieldError[] {
  return [...new Map(errors.map((error) => [`${error.field} ${error.message}`, error])).values()]
}

function describe(error: ErrorObject): FieldError {
  const { instancePath, keyword, params, parentSchema, message = 'is not valid' } = error
  switch (keyword) {
    case 'additionalProperties': {
      const known =
        Object.keys((parentSchema as TObject).properties)
          .toSorted()
          .join(', ') || 'none'
      const name = String(params['additionalProperty'])
      return { field: `${instancePath}/${name}`, message: `is not known here; known are: ${known}` }
    }
    case 'discriminator':
      return { field: `${instancePath}/${String(params['tag'])}`, message: 'must be one of those that are documented' }
    case 'required':
      return { field: `${instancePath}/${String(params['missingProperty'])}`, message: 'is required' }
    case 'enum':
      return { field: instancePath, message: `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}` }
    case 'pattern':
    case 'format':
      return { field: instancePath, message: 'does not have the form that is asked for' }
    default:
      return { field: instancePath, message }
  }
}
