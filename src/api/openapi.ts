// The OpenAPI 3.1 document, made from the route table. Schemas with a title become components.

import type { TObject, TSchema } from 'typebox'
import { errorBody } from '../../schemas/common.js'
import type { ErrorCode } from '../model/errors.js'
import { API_PREFIX } from './endpoint.js'
import { ERROR_STATUS } from './error-status.js'
import type { Route } from './route.js'
import { ROUTES } from './routes/table.js'

type Json = Record<string, unknown>

const TAGS = ['Pages', 'Versions', 'Collections', 'Records', 'Sites', 'History', 'Workspaces', 'Keys']

/** Refusals of every route. */
const COMMON: readonly ErrorCode[] = [
  'invalid_header',
  'unauthenticated',
  'workspace_not_found',
  'site_not_found',
  'site_unreadable',
  'site_busy',
  'internal',
]
const OF_WRITES: readonly ErrorCode[] = [
  'insufficient_scope',
  'queue_full',
  'outcome_unknown',
  'storage_failed',
  'storage_full',
]
const OF_BODIES: readonly ErrorCode[] = ['invalid_json', 'invalid_body', 'unsupported_media_type', 'payload_too_large']
const OF_POSTS: readonly ErrorCode[] = ['idempotency_in_progress', 'idempotency_key_reused']

const HEADERS: Json[] = [
  headerParameter('x-service-account-id', "The workspace; default: the key's.", { type: 'string', format: 'uuid' }),
  headerParameter('x-service-site-id', "The site; default: the workspace's default site.", {
    type: 'string',
    format: 'uuid',
  }),
]

export function buildOpenApi(baseUrl: string): Json {
  const components: Json = {}
  const paths: Record<string, Json> = {}
  for (const route of ROUTES) (paths[route.path] ??= {})[route.method] = operation(route, components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Palimpsest',
      version: '1.0.0',
      description: 'Publish pages into git repositories: live when the answer arrives, every version kept.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${baseUrl}${API_PREFIX}` }],
    security: [{ apiKey: [] }],
    tags: TAGS.map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `palimpsest keys create`, or `POST /keys`.',
        },
      },
      schemas: components,
    },
  }
}

function operation(route: Route, components: Json): Json {
  const { operationId, tag, summary, description, body } = route
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    parameters: parametersOf(route),
    ...(body && { requestBody: { required: true, content: bodyContent(route, components) } }),
    responses: { ...successes(route, components), ...failures(route, components) },
  }
}

function parametersOf(route: Route): Json[] {
  return [
    ...HEADERS,
    ...inParameters(route.params, 'path'),
    ...inParameters(route.query, 'query'),
    ...(route.ifMatch
      ? [headerParameter('If-Match', 'Change it only if this is its entity tag.', { type: 'string' })]
      : []),
    ...(route.ifNoneMatch
      ? [headerParameter('If-None-Match', '`*`: publish only where nothing is.', { type: 'string' })]
      : []),
    ...(route.method === 'post'
      ? [
          headerParameter('Idempotency-Key', 'Makes a repeated request safe for 24 hours.', {
            type: 'string',
            minLength: 1,
            maxLength: 255,
          }),
        ]
      : []),
  ]
}

function inParameters(schema: TObject | undefined, place: 'path' | 'query'): Json[] {
  if (schema === undefined) return []
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, ...rest } = plain(property)
    const required = (schema.required as readonly string[] | undefined)?.includes(name) ?? false
    // `filter[field][op]=value` has no form that OpenAPI could name; the object shows its fields.
    if (name === 'filter') {
      return {
        name,
        in: place,
        required,
        description,
        style: 'deepObject',
        explode: true,
        schema: { type: 'object', additionalProperties: true },
      }
    }
    return { name, in: place, required, ...(description !== undefined && { description }), schema: rest }
  })
}

function headerParameter(name: string, description: string, schema: Json): Json {
  return { name, in: 'header', required: false, description, schema }
}

function bodyContent({ body }: Route, components: Json): Json {
  return {
    ...(body && { 'application/json': { schema: refer(body.json, components) } }),
    ...(body?.html === true && { 'text/html': { schema: { type: 'string', minLength: 1 } } }),
  }
}

function successes(route: Route, components: Json): Json {
  const data = refer(route.data, components)
  const envelope = {
    type: 'object',
    required: ['success', 'data', ...(route.list ? ['paging'] : [])],
    additionalProperties: false,
    properties: {
      success: { type: 'boolean', const: true },
      data: route.list ? { type: 'array', items: data } : data,
      ...(route.list && {
        paging: {
          type: 'object',
          required: ['nextCursor'],
          additionalProperties: false,
          properties: { nextCursor: { type: ['string', 'null'], description: 'Null on the last part.' } },
        },
      }),
    },
  }
  const content = { 'application/json': { schema: envelope } }
  return {
    200: { description: 'Done.', content },
    ...(route.creates && { 201: { description: 'Made; `Location` says where.', content } }),
    ...(route.method === 'get' &&
      !route.list && { 304: { description: 'The client has it: the entity tag in If-None-Match is current.' } }),
  }
}

function failures(route: Route, components: Json): Json {
  const codes = new Set<ErrorCode>([
    ...COMMON,
    ...(route.scope === 'read' ? [] : OF_WRITES),
    ...(route.body ? OF_BODIES : []),
    ...(route.method === 'post' ? OF_POSTS : []),
    ...(route.params ? (['invalid_id'] as const) : []),
    'invalid_query',
    ...route.errors,
  ])
  const schema = refer(errorBody, components)
  const statuses = [...new Set([...codes].map((code) => ERROR_STATUS[code]))].toSorted((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const names = [...codes].filter((code) => ERROR_STATUS[code] === status).toSorted()
      const description = `One of: ${names.map((name) => `\`${name}\``).join(', ')}.`
      return [status, { description, content: { 'application/json': { schema } } }]
    }),
  )
}

/** A reference to the component that a titled schema becomes; any other schema itself. */
function refer(schema: TSchema, components: Json): Json {
  const { title, ...rest } = plain(schema)
  if (typeof title !== 'string') return rest
  components[title] ??= rest
  return { $ref: `#/components/schemas/${title}` }
}

/** The schema as JSON, without what only the type system sees. */
function plain(schema: TSchema): Json {
  return JSON.parse(JSON.stringify(schema)) as Json
}
