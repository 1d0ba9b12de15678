// Reads the input of a route, and checks it against its schemas: the body (media type, size, content), path parameters, query.

import type { TObject } from 'typebox'
import { ServiceError } from '../../../model/errors.js'
import type { Limits } from '../../../model/limits.js'
import { fileTypeOf } from '../../../model/paths/file-type.js'
import { type Check, createCheck } from './check-input.js'
import { parseQuery } from './parse-query.js'
import { type Body, maxJsonBytesOf, type TakenBody } from './read-body.js'

/** The schemas of a route. */
interface Schemas {
  method: string
  params?: TObject
  query?: TObject
  body?: { json: TObject; html: boolean; maxBytes?: number }
}

export interface SentInput {
  /** The path's parameters, decoded. */
  params: Readonly<Record<string, string>>
  /** The query as in a URL, without the question mark. */
  query: string
  /** Called if the route takes a body, once the caller is known to be allowed to send it. */
  readBody: (taken: TakenBody) => Promise<Body> | Body
}

export interface Checks {
  params: Check
  query: Check
  body: Check
  taken: TakenBody | undefined
}

export function createChecks({ params, query, body }: Schemas, limits: Limits): Checks {
  const none = () => undefined
  return {
    params: params === undefined ? none : createCheck(params, 'invalid_id', 'The path'),
    query: query === undefined ? refuseAnyQuery : createCheck(query, 'invalid_query', 'The query'),
    body: body === undefined ? none : createCheck(body.json, 'invalid_body', 'The body'),
    taken: body && { html: body.html, maxJsonBytes: body.maxBytes ?? maxJsonBytesOf(body.json, limits) },
  }
}

function refuseAnyQuery(query: unknown): void {
  const names = Object.keys(query as object)
  if (names.length === 0) return
  throw new ServiceError('invalid_query', `This endpoint takes no query parameters: leave out ${names.join(', ')}.`)
}

/** Returns path parameters, query and body in one object, each checked against its schema. */
export async function readInput(
  route: Schemas,
  checks: Checks,
  { params, query: queryText, readBody }: SentInput,
): Promise<Record<string, unknown>> {
  const body = checks.taken && (await readBody(checks.taken))
  checks.params(params)
  const query = parseQuery(queryText, route.query)
  checks.query(query)
  if (body === undefined) return { ...query, ...params }
  if (body.kind === 'html') {
    if (body.isAssumed) refuseFalsePage(query['path'])
    return { ...query, ...params, html: body.bytes }
  }
  checks.body(body.value)
  const fields = body.value as Record<string, unknown>
  const known = route.body?.json.properties ?? {}
  const twice = Object.keys(query).find(
    (name) => name in fields || (name in known && route.method === 'post' && route.body?.html === true),
  )
  if (twice === undefined) return { ...query, ...fields, ...params }
  throw new ServiceError('invalid_query', `With a JSON body, send "${twice}" in the body and not in the query.`)
}

/**
 * Refuses an HTML body whose media type was assumed at a path of a file: `curl -T style.css` would make a page there. Throws
 * `unsupported_media_type`.
 */
function refuseFalsePage(path: unknown): void {
  if (typeof path !== 'string' || fileTypeOf(path) === undefined) return
  throw new ServiceError(
    'unsupported_media_type',
    `${path} is not the path of a page: PUT /files?path=${path} takes files. For a page there, send Content-Type: text/html.`,
  )
}
