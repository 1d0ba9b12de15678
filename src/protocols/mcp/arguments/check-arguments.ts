// Checks the arguments of a call against the tool's schema, before anything is sent, and corrects slips with only one possible meaning.

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describeDraftWish, describeFault } from '../../../model/schema-fault.js'
import { addLengthKeywords } from '../../../texts/length-keywords.js'
import { fitOperations } from './fit-operations.js'
import { fitSlips } from './fit-slips.js'
import { fitValue } from './fit-value.js'
import type { Tool } from '../tools/tool.js'

type Fields = Record<string, unknown>

const ajv = addLengthKeywords(new Ajv2020({ strict: false, allErrors: true }))
addFormats.default(ajv)

/** Schemas are compiled at the first call of a tool, so that a start does not pay for it. */
const compiled = new WeakMap<Tool, ValidateFunction>()

const MAX_FAULTS = 5
/** Faults that are read: one mistake in a list is reported once, although many entries may have it. */
const MAX_READ_FAULTS = 50

/** Returns the corrected arguments, and their faults in one sentence; undefined if they are valid. */
export function checkArguments(tool: Tool, sent: Fields): { given: Fields; fault: string | undefined } {
  let validate = compiled.get(tool)
  if (validate === undefined) {
    validate = ajv.compile(tool.schema)
    compiled.set(tool, validate)
  }
  const fitted = fitValue(fitSlips(tool.arguments, sent), tool.schema) as Fields
  const { given, fault } = tool.definition.shows === 'batch' ? fitOperations(tool, fitted) : { given: fitted }
  if (validate(given)) return { given, fault }
  const faults = [
    ...new Set((validate.errors ?? []).slice(0, MAX_READ_FAULTS).map((error) => describe(error, tool))),
  ].slice(0, MAX_FAULTS)
  return { given, fault: `The arguments are not valid: ${faults.join('; ')}.` }
}

/** Describes a fault; inside a list or object, it describes the form that this must have. */
function describe(error: ErrorObject, tool: Tool): string {
  const { instancePath, keyword, params } = error
  const [, argument = '', ...deeper] = instancePath.split('/')
  const example = tool.arguments.get(argument)?.example
  if (example !== undefined && (deeper.length > 0 || keyword === 'type')) {
    return `${argument} must look like ${JSON.stringify(example)}`
  }
  const name = instancePath.slice(1) || 'arguments'
  if (keyword === 'required') {
    const missing = String(params['missingProperty'])
    const shownBy = missing === 'ifMatch' ? ': get_page shows it as etag, and get_file for files' : ''
    return `${[...instancePath.split('/').slice(1), missing].join('/')} is missing${shownBy}`
  }
  if (argument === 'base64' && keyword === 'maxLength')
    return 'base64 is longer than 1 MiB of bytes: send the url of the file, or let the user run `palimpsest publish <folder>`'
  if (keyword === 'pattern') return `${name} ${describePattern(argument) ?? describeFault(error)}`
  if (keyword !== 'additionalProperties') return `${name} ${describeFault(error)}`
  const unknown = String(params['additionalProperty'])
  if (unknown === 'markdown') return 'markdown is not known: turn it into HTML, and send it as html'
  const known = Object.keys(propertiesAt(tool, argument))
  const wish = describeDraftWish(unknown, known)
  if (wish !== undefined) return `${unknown} ${wish}`
  const where = argument === '' ? tool.listed.name : argument
  return `${unknown} is not known; ${where} takes ${known.join(', ') || 'none'}`
}

const RANGE = 'must be a range such as 10-20, or 10- for all from there on'
const COMMIT = 'must be the id of a commit, or its first 7 digits or more'
const REQUEST = 'must be the id or the number of a change request; a write also takes "new", which makes one'
const VERSION = 'must be the number of a version, such as 1, or the full id of its commit'

/** The form of texts that a pattern bounds: a model learns nothing from a pattern. */
const FORMS: Readonly<Record<string, string>> = {
  lines: RANGE,
  chars: RANGE,
  oid: COMMIT,
  commits: COMMIT,
  version: VERSION,
  from: VERSION,
  to: VERSION,
  changeRequest: REQUEST,
  id: REQUEST,
}

function describePattern(argument: string): string | undefined {
  return Object.hasOwn(FORMS, argument) ? FORMS[argument] : undefined
}

/** Returns the fields that an object, or an entry of a list, may have; without an argument, those of the tool. */
function propertiesAt({ schema }: Tool, argument: string): object {
  const { properties } = schema
  if (argument === '') return properties
  const { items, properties: own } = (properties[argument] ?? {}) as {
    items?: { properties?: object }
    properties?: object
  }
  return own ?? items?.properties ?? {}
}
