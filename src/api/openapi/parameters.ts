// The parameters of an operation: header fields that every route takes, and what its schemas name.

import type { TObject } from 'typebox'
import { type Json, plain } from './components.js'
import type { Route } from '../routes/route.js'

const ID = { type: 'string', format: 'uuid' }
const TEXT = { type: 'string' }

const WORKSPACE = headerParameter('x-service-account-id', "The workspace; default: the key's.", ID)
const SITE = headerParameter('x-service-site-id', "The site; default: the workspace's default site.", ID)
const IF_MATCH = headerParameter('If-Match', 'Change it only if this is its entity tag.', TEXT)
const IF_NONE_MATCH = headerParameter('If-None-Match', '`*`: publish only where nothing is.', TEXT)
const IDEMPOTENCY_KEY = headerParameter('Idempotency-Key', 'Makes a repeated request safe for 24 hours.', {
  type: 'string',
  minLength: 1,
  maxLength: 255,
})

export function parametersOf(route: Route): Json[] {
  return [
    WORKSPACE,
    SITE,
    ...inParameters(route.params, 'path'),
    ...inParameters(route.query, 'query'),
    ...(route.ifMatch ? [IF_MATCH] : []),
    ...(route.ifNoneMatch ? [IF_NONE_MATCH] : []),
    ...(route.method === 'post' ? [IDEMPOTENCY_KEY] : []),
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
    // `filter[field][op]=value` has no form that OpenAPI could name; an object with free fields comes nearest.
    return { ...head, style: 'deepObject', explode: true, schema: { type: 'object', additionalProperties: true } }
  })
}

function headerParameter(name: string, description: string, schema: Json): Json {
  return { name, in: 'header', required: false, description, schema }
}
