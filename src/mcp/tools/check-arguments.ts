// Checks the arguments of a call against the tool's schema, before anything is sent.

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { hasFewValues } from '../../model/few-values.js'
import { describeFault } from '../../model/schema-fault.js'
import type { Tool } from './tool.js'

const [firstFault, allFaults] = [false, true].map((allErrors) =>
  addFormats.default(new Ajv2020({ strict: false, allErrors })),
) as [Ajv2020, Ajv2020]

/**
 * What is wrong with the arguments, in one sentence; undefined where they are valid. A schema is compiled at the first call of
 * its tool, so that a start does not pay for it, and kept by AJV.
 */
export function findFault(tool: Tool, given: unknown): string | undefined {
  const ajv = hasFewValues(given) ? allFaults : firstFault
  const validate: ValidateFunction = ajv.compile(tool.listed.inputSchema)
  if (validate(given)) return undefined
  const faults = (validate.errors ?? []).slice(0, 5).map((error) => describe(error, tool))
  return `The arguments are not valid: ${[...new Set(faults)].join('; ')}.`
}

function describe(error: ErrorObject, { listed }: Tool): string {
  const { instancePath, keyword, params } = error
  const name = instancePath.slice(1) || 'arguments'
  if (keyword === 'required') return `${String(params['missingProperty'])} is missing`
  if (keyword !== 'additionalProperties') return `${name} ${describeFault(error)}`
  const known = Object.keys(listed.inputSchema.properties).join(', ') || 'none'
  return `${String(params['additionalProperty'])} is not known; ${listed.name} takes ${known}`
}
