// Makes the OpenAPI 3.1 document from the route table. Schemas with a title become components.

import { packageVersion } from '../../../threads/package-version.js'
import { failuresOf, successesOf } from './answers.js'
import { type Components, type Json, refer } from './components.js'
import { parametersOf } from './parameters.js'
import type { OpenRoute } from '../routes/open-route.js'
import { API_PREFIX, type Route } from '../routes/route.js'
import { ROUTES } from '../routes/table.js'

const TAGS: Readonly<Record<string, string>> = {
  Pages: 'HTML at a path of a site, live when the answer arrives.',
  Files: 'Images, styles, scripts and every other file that is no page.',
  Deploys: 'A whole folder, published as one commit.',
  Versions: "A page's history: read, compare, roll back.",
  Collections: 'Sets of records with a schema.',
  Records: 'JSON objects, searched and filtered.',
  'Change requests': 'Changes that are not live yet: drafts, proposals, and their approval.',
  Comments: 'What people and agents say about change requests and versions of pages.',
  Sites: 'A subdomain and the git repository behind it.',
  History: "A site's commits and health.",
  Workspaces: 'The owners of sites and keys.',
  Keys: 'API keys, which authenticate requests.',
  People: 'The members of a workspace, their roles, invitations, ways to sign in, and the audit log.',
  Account: 'The name, passkeys and sessions of a person who is signed in.',
  Agents: 'Programs that people connected, to act for them.',
  'Sign-in': 'How browsers sign in and out. Programs send a key instead.',
  'Reviews by guests': 'What the page of a review link sends. Guests have no account.',
}

export function buildOpenApi(baseUrl: string): Json {
  const components: Components = {}
  const paths: Record<string, Json> = {}
  for (const route of ROUTES) (paths[route.path] ??= {})[route.method] = operationOf(route, baseUrl, components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Palimpsest',
      version: packageVersion(),
      description: 'Publish pages into git repositories: live when the answer arrives, every version kept.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${baseUrl}${API_PREFIX}` }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key (`palimpsest keys create`, or `POST /keys`), or the token of a connected agent.',
        },
      },
      schemas: components,
    },
  }
}

function operationOf(route: Route | OpenRoute, baseUrl: string, components: Components): Json {
  const { operationId, tag, summary, description, body, bytes } = route
  const needs = needsOf(route)
  return {
    operationId,
    tags: [tag],
    summary,
    description: description === undefined ? needs : `${description}\n\n${needs}`,
    // Routes for browsers lie beside the API.
    ...(route.caller !== 'key' && { servers: [{ url: baseUrl }], security: [] }),
    parameters: parametersOf(route),
    ...(body && { requestBody: { required: true, content: contentOf(body, components) } }),
    ...(bytes && { requestBody: { required: true, content: BYTES } }),
    responses: { ...successesOf(route, components), ...failuresOf(route, components) },
  }
}

function needsOf(route: Route | OpenRoute): string {
  if (route.caller !== 'key') return `Needs ${route.needsSession ? 'a session' : 'no key'}.${fromWhere(route)}`
  return route.errors.includes('person_required')
    ? 'Needs a person who is signed in at the dashboard.'
    : `Needs a key with the scope \`${route.scope}\`.`
}

function fromWhere({ caller }: OpenRoute): string {
  return caller === 'browser' ? " Only the dashboard's own pages may send it." : ''
}

/** A request body of bytes of any media type. */
const BYTES = { '*/*': { schema: { type: 'string', format: 'binary' } } }

function contentOf(body: NonNullable<Route['body']>, components: Components): Json {
  return {
    'application/json': { schema: refer(body.json, components) },
    ...(body.html && { 'text/html': { schema: { type: 'string', minLength: 1 } } }),
  }
}
