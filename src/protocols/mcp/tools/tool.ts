// Makes a tool from its definition and its endpoint: its entry in the list, and the request made from its arguments.

import type { ToolAnnotations } from '@modelcontextprotocol/server'
import type { Operation } from './operation.js'
import {
  type Argument,
  argumentsOf,
  DEFAULT_ENTRIES,
  inputSchemaOf,
  isOfSite,
  type ObjectSchema,
  type ParameterLocation,
  seenSchemaOf,
} from './tool-schemas.js'
import type { ToolDefinition } from './tool-definition.js'

export interface Tool {
  definition: ToolDefinition
  operation: Operation
  arguments: ReadonlyMap<string, Argument>
  /** The schema that arguments are checked against. */
  schema: ObjectSchema
  /** Its entry in `tools/list`. */
  listed: {
    name: string
    title: string
    description: string
    inputSchema: ObjectSchema
    annotations: ToolAnnotations
  }
}

/** A request in the form of the typed client. */
export interface ToolRequest {
  method: Operation['method']
  path: string
  params: { header: Fields; path: Fields; query: Fields }
  body?: Fields
}

type Fields = Record<string, unknown>

/** Header fields in which some arguments are sent (spec §1). */
const HEADER_FIELDS: Readonly<Record<string, string>> = {
  accountId: 'x-service-account-id',
  siteId: 'x-service-site-id',
  ifMatch: 'If-Match',
  idempotencyKey: 'Idempotency-Key',
}

/** Throws for a tool without an endpoint: the tool table and the route table disagree. */
export function makeTools(definitions: readonly ToolDefinition[], operations: readonly Operation[]): Map<string, Tool> {
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]))
  return new Map(
    definitions.map((definition) => {
      const operation = byId.get(definition.operationId)
      if (operation === undefined) throw new Error(`${definition.name}: no endpoint ${definition.operationId}`)
      return [definition.name, makeTool(definition, operation)]
    }),
  )
}

/** Makes the request of a call. The arguments must fit the tool's schema: `checkArguments` checks them first. */
export function requestOf({ definition, operation, arguments: known }: Tool, given: Fields): ToolRequest {
  const sent: Record<ParameterLocation, Fields> = { header: {}, path: {}, query: {}, body: {}, tool: {} }
  const all = known.has('limit') ? { limit: definition.entries ?? DEFAULT_ENTRIES, ...given } : given
  for (const [name, value] of Object.entries(all)) {
    const place = known.get(name)?.place
    if (place !== undefined) sent[place][HEADER_FIELDS[name] ?? name] = value
  }
  const { header, path, query, body } = sent
  if (definition.target === 'site' && isOfSite(operation)) path['id'] = given['siteId']
  return {
    method: operation.method,
    path: operation.path,
    params: { header, path, query },
    ...(operation.body && { body: { ...definition.sends, ...body } }),
  }
}

function makeTool(definition: ToolDefinition, operation: Operation): Tool {
  const { name, title, description } = definition
  const known = argumentsOf(definition, operation)
  return {
    definition,
    operation,
    arguments: known,
    schema: inputSchemaOf(known),
    listed: {
      name,
      title,
      description,
      inputSchema: seenSchemaOf(known),
      annotations: annotationsOf(definition, operation),
    },
  }
}

/**
 * Returns all four hints, because hosts decide by them when to ask their user. No visitor sees records, or a change request before it is
 * published: all else that is written is public.
 */
function annotationsOf({ effect }: ToolDefinition, { method, path }: Operation): ToolAnnotations {
  return {
    readOnlyHint: effect === 'reads',
    destructiveHint: effect === 'changes' || effect === 'removes',
    idempotentHint: method === 'get' || method === 'put' || method === 'delete',
    openWorldHint:
      effect !== 'reads' && (!/^\/(?:collections|change-requests)\b/.test(path) || path.endsWith('/publish')),
  }
}
