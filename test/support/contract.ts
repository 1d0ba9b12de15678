// Checks answers against the OpenAPI document: an answer that it does not describe is a defect of one of the two.

import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { buildOpenApi } from '../../src/protocols/api/openapi/openapi.js'

interface Operation {
  responses: Record<string, { description: string; content?: object; headers?: object }>
}

const document = buildOpenApi('http://localhost:8080') as { paths: Record<string, Record<string, Operation>> }
// Ajv's optimiser takes longer than it saves.
const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
addFormats.default(ajv)
ajv.addSchema(document, 'openapi')

/** Operations that answered 2xx in this test run, such as `GET /pages/{id}`. */
export const covered = new Set<string>()

export interface Answer {
  status: number
  body: unknown
  /** Headers by lower-case name. */
  headers: Record<string, unknown>
}

/** `path` is relative to `/api/v1`, with its query. Answers of undocumented paths and methods are not checked. */
export function assertDocumented(method: string, path: string, { status, body, headers }: Answer): void {
  const [pathname = ''] = path.split('?', 1)
  // A path without parameters comes before one with them (OpenAPI 3.1, Paths Object).
  const isConcrete = document.paths[pathname] !== undefined
  const template = isConcrete ? pathname : Object.keys(document.paths).find((known) => patternOf(known).test(pathname))
  const verb = method === 'head' ? 'get' : method
  const operation = template === undefined ? undefined : document.paths[template]?.[verb]
  if (template === undefined || operation === undefined) return
  const where = `${method.toUpperCase()} ${template}`
  const documented = operation.responses[String(status)]
  assert.ok(documented, `${where} answers ${status}, which is not documented: ${JSON.stringify(body)}`)
  if (status < 300) covered.add(`${verb.toUpperCase()} ${template}`)
  for (const name of ['ETag', 'Location']) {
    const [isSent, isSaid] = [headers[name.toLowerCase()] !== undefined, name in (documented.headers ?? {})]
    assert.ok(isSaid || !isSent || status === 304, `${where} ${status} sends ${name}, which is not documented`)
    // A dry run of a write has no entity tag: its commit was never made.
    if (name === 'Location' || verb === 'get') assert.ok(isSent || !isSaid, `${where} ${status} lacks ${name}`)
  }
  if (method === 'head' || documented.content === undefined || '*/*' in documented.content) return
  const validate = answerSchema(template, verb, status)
  assert.ok(validate(body), `${where} ${status}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`)
  const code = (body as { error?: { code: string } }).error?.code
  if (code !== undefined)
    assert.ok(documented.description.includes(`\`${code}\``), `${where} does not document ${code}`)
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`)
}

const compiled = new Map<string, ValidateFunction>()

function answerSchema(template: string, verb: string, status: number): ValidateFunction {
  const pointer = `/paths/${escapePointer(template)}/${verb}/responses/${status}/content/application~1json/schema`
  const known = compiled.get(pointer)
  if (known !== undefined) return known
  const validate = ajv.compile({ $ref: `openapi#${pointer}` })
  compiled.set(pointer, validate)
  return validate
}

/** Escapes a name for a JSON pointer in a URI fragment (RFC 6901 §6). */
function escapePointer(text: string): string {
  return encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))
}
