// The parameters of an operation in the OpenAPI document: the header fields it takes, and the fields of its schemas.

import type { TObject } from 'typebox'
import { MAX_IF_MATCH_CHARACTERS } from '../../../model/limits.js'
import { type Json, plain } from './components.js'
import type { OpenRoute } from '../routes/open-route.js'
import type { Route } from '../routes/route.js'

const ID = { type: 'string', format: 'uuid' }
const TAGS = { type: 'string', maxLength: MAX_IF_MATCH_CHARACTERS }

const WORKSPACE = headerParameter('x-service-account-id', "The workspace. Default: the key's.", ID)
const SITE = headerParameter(
  'x-service-site-id',
  "The site. Default: the workspace's default site, or else the only site that the key sees.",
  ID,
)
const IF_MATCH = headerParameter('If-Match', 'Change it only if this is its current entity tag.', TAGS)
const IF_NONE_MATCH = headerParameter('If-None-Match', '`*`: publish only where nothing is.', {
  type: 'string',
  enum: ['*'],
})
const IDEMPOTENCY_KEY = headerParameter('Idempotency-Key', 'Makes a repeated request safe for 24 hours.', {
  type: 'string',
  minLength: 1,
  maxLength: 255,
})

/** OpenAPI cannot describe `filter[field][op]=value`, so this is the flat form: one parameter for each condition. */
const FILTER = { type: 'array', items: { type: 'string', maxLength: 2002 }, maxItems: 20 }

export function parametersOf(route: Route | OpenRoute): Json[] {
  const isForKeys = route.caller === 'key'
  return [
    ...(isForKeys ? [WORKSPACE, SITE] : []),
    ...inParameters(route.params, 'path'),
    ...inParameters(route.query, 'query'),
    ...(route.ifMatch ? [IF_MATCH] : []),
    ...(route.ifNoneMatch ? [IF_NONE_MATCH] : []),
    ...(isForKeys && route.method === 'post' ? [IDEMPOTENCY_KEY] : []),
  ]
}

function inParameters(schema: TObject | undefined, place: 'path' | 'query'): Json[] {
  if (schema === undefined) return []
  const required: readonly string[] = schema.required ?? []
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, ...rest } = plain(property)
    const head = {
      name,
      in: place,
      required: required.includes(name),
      ...(description !== undefined && { description }),
    }
    if (name !== 'filter') return { ...head, schema: rest }
    return { ...head, style: 'form', explode: true, schema: FILTER }
  })
}

function headerParameter(name: string, description: string, schema: Json): Json {
  return { name, in: 'header', required: false, description, schema }
}
