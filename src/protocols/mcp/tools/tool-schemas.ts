// Makes the arguments of a tool and their schema from the parameters and the body of its endpoint. They are kept short, because an agent
// pays for each word of them on every turn.

import type { JSONObject, JSONValue } from '@modelcontextprotocol/server'
import type { TSchema } from 'typebox'
import { UUID_PATTERN } from '../../../model/ids.js'
import { MAX_IF_MATCH_CHARACTERS } from '../../../model/limits.js'
import type { Operation } from './operation.js'
import { asSeen } from './seen-schema.js'
import type { ToolDefinition } from './tool-definition.js'

export interface ObjectSchema {
  type: 'object'
  properties: Record<string, Schema>
  required?: string[]
  [keyword: string]: JSONValue | undefined
}

export type Schema = JSONObject

/** The default `limit` of a tool. It is low because reading entries costs an agent more than another call. */
export const DEFAULT_ENTRIES = 50

/** Described once for all tools, in the server's instructions. */
const TARGET: Schema = { type: 'string', maxLength: 100 }
/** Also described once, in the server's instructions. */
const IF_MATCH: Schema = { type: 'string', maxLength: MAX_IF_MATCH_CHARACTERS }

/** Described in the server's instructions. */
const IDEMPOTENCY_KEY: Schema = { type: 'string', maxLength: 255 }
/** Arguments of many tools, described in the server's instructions. */
const DESCRIBED_ONCE = new Set(['cursor', 'dryRun', 'limit', 'reason'])
/** Selects a part of a diff or of an old version. */
const CHARACTERS: Schema = { type: 'string', pattern: '^[1-9][0-9]{0,8}-([1-9][0-9]{0,8})?$' }
/** The bound of the answer; described in the server's instructions. */
const MAX_TOKENS: Schema = { type: 'integer' }

const FILTER_EXAMPLE: JSONValue = { year: { gte: 1990 } }

/** `filter[field]=value` and `filter[field][op]=value` as one object. */
const FILTER: Schema = {
  type: 'object',
  maxProperties: 20,
  description: 'Field to value, or to {gt, gte, lt, lte, ne, contains}: {"year": {"gte": 1990}}.',
}

/** The part of the request in which an argument is sent; `tool` for those that only the tool reads. */
export type ParameterLocation = 'header' | 'path' | 'query' | 'body' | 'tool'

/** The kind of thing that an argument names by its id or by a name, such as the path of a page. */
export type Named = 'page' | 'collection' | 'site' | 'changeRequest'

/** The number or the id of a change request. */
const REQUEST = `^#?[1-9][0-9]{0,8}$|${UUID_PATTERN}`

/** Described in the server's instructions. */
const NAMED_BY: Readonly<Record<Named, Schema>> = {
  page: { type: 'string', maxLength: 2048 },
  collection: { type: 'string', maxLength: 255 },
  site: { type: 'string', maxLength: 100 },
  changeRequest: { type: 'string', pattern: REQUEST },
}

/** A write may also make a change request. */
const WRITTEN_REQUEST: Schema = { type: 'string', pattern: `^new$|${REQUEST}` }

export interface Argument {
  place: ParameterLocation
  schema: Schema
  /** The schema that a model sees, if it is not made from this one. */
  seen?: Schema
  required: boolean
  names?: Named
  /** A possible value, for refusals. */
  example?: JSONValue
}

export function argumentsOf(tool: ToolDefinition, operation: Operation): Map<string, Argument> {
  const all = new Map<string, Argument>()
  // `siteId` names the site in such a path; without it, the default one.
  const isTarget = (name: string, place: ParameterLocation) =>
    place === 'path' && name === 'id' && tool.target === 'site' && isOfSite(operation)
  const take = (place: ParameterLocation, fields: { properties: object; required?: readonly string[] } | undefined) => {
    for (const [name, schema] of Object.entries(fields?.properties ?? {})) {
      if (all.has(name) || tool.without?.includes(name) || isTarget(name, place)) continue
      const required = (fields?.required ?? []).includes(name) || tool.insistsOn?.includes(name) === true
      const names = namedBy(place, name, operation)
      const { examples = [] } = schema as { examples?: JSONValue[] }
      const example = name === 'filter' ? FILTER_EXAMPLE : examples[0]
      all.set(name, {
        place,
        required,
        ...(names ? { names, schema: schemaOfName(tool, names, place) } : schemasOf(tool, name, schema as TSchema)),
        ...(example !== undefined && typeof example === 'object' && { example }),
      })
    }
  }
  const header = (name: string, schema: Schema) =>
    all.set(name, { place: 'header', required: tool.insistsOn?.includes(name) === true, schema })
  if (tool.target !== 'none') header('accountId', TARGET)
  if (tool.target === 'site') header('siteId', TARGET)
  take('path', operation.params)
  take('body', operation.body?.json)
  take('query', operation.query)
  if (operation.ifMatch) header('ifMatch', IF_MATCH)
  if (operation.method === 'post' && tool.effect !== 'reads') header('idempotencyKey', IDEMPOTENCY_KEY)
  const ofTool = (name: string, schema: Schema) => all.set(name, { place: 'tool', required: false, schema })
  if (tool.shows === 'diff' || (tool.shows === 'version' && !operation.list && tool.effect === 'reads'))
    ofTool('chars', CHARACTERS)
  if (tool.effect === 'reads' || all.has('dryRun')) ofTool('maxTokens', MAX_TOKENS)
  return all
}

/** Returns the schema of an argument, and the one that a model sees, if that is another. */
function schemasOf(tool: ToolDefinition, name: string, schema: TSchema): Pick<Argument, 'schema' | 'seen'> {
  const own = argumentSchema(name, schema, isDescribed(tool, name))
  const loose = tool.schemas?.[name]
  return loose === undefined ? { schema: own } : { schema: loose, seen: asSeen(own) }
}

function isDescribed({ undescribed }: ToolDefinition, name: string): boolean {
  return !DESCRIBED_ONCE.has(name) && undescribed?.includes(name) !== true
}

/** Whether the path is below a site: `/sites/{id}/commits`. */
export function isOfSite({ path }: Operation): boolean {
  return path.startsWith('/sites/{id}/')
}

const NAMED_IN_PATHS: Readonly<Record<string, Named>> = {
  pages: 'page',
  collections: 'collection',
  sites: 'site',
  'change-requests': 'changeRequest',
}

/** Returns the kind of thing that an argument names: the id in `/pages/{id}/versions` names a page. */
function namedBy(place: ParameterLocation, name: string, { path }: Operation): Named | undefined {
  if (place === 'query' && name === 'changeRequest') return 'changeRequest'
  const [, resource = ''] = path.split('/')
  return place === 'path' && name === 'id' ? NAMED_IN_PATHS[resource] : undefined
}

function schemaOfName({ effect }: ToolDefinition, names: Named, place: ParameterLocation): Schema {
  return place === 'query' && effect !== 'reads' ? WRITTEN_REQUEST : NAMED_BY[names]
}

export function inputSchemaOf(all: ReadonlyMap<string, Argument>): ObjectSchema {
  return { ...objectSchemaOf(all, ({ schema }) => schema), additionalProperties: false }
}

/** Returns the schema as a model sees it: in few words, and in the forms that every client takes. */
export function seenSchemaOf(all: ReadonlyMap<string, Argument>): ObjectSchema {
  return objectSchemaOf(all, ({ schema, seen }) => seen ?? asSeen(schema))
}

function objectSchemaOf(all: ReadonlyMap<string, Argument>, schemaOf: (argument: Argument) => Schema): ObjectSchema {
  const required = [...all].filter(([, argument]) => argument.required).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(Array.from(all, ([name, argument]) => [name, schemaOf(argument)])),
    ...(required.length > 0 && { required }),
  }
}

function argumentSchema(name: string, schema: TSchema, withWords: boolean): Schema {
  const short = shorten(name === 'filter' ? FILTER : schema, withWords)
  return name === 'limit' ? { ...short, default: DEFAULT_ENTRIES } : short
}

/**
 * Removes titles and examples, and without words all descriptions. Also removes patterns next to a format, and lengths next to a format or
 * pattern, which bounds them too. A property with such a name stays: its value is a schema.
 */
function shorten(schema: object, withWords: boolean): Schema {
  const left = new Set(['examples', 'title', ...(withWords ? [] : ['description'])])
  return JSON.parse(
    JSON.stringify(schema, function (this: Schema, key: string, value: unknown) {
      const isKeyword = typeof value !== 'object' || Array.isArray(value)
      if (isKeyword && (left.has(key) || isImplied(key, this))) return undefined
      return isKeyword ? value : (nullableType(value as Schema) ?? value)
    }),
  ) as Schema
}

function isImplied(key: string, { format, pattern }: Schema): boolean {
  if (key === 'maxLength') return format === 'uuid' || pattern !== undefined
  return key === 'pattern' && format !== undefined
}

/** Writes `{anyOf: [{type: T}, {type: 'null'}]}` as `{type: [T, 'null']}`. */
function nullableType({ anyOf, ...rest }: Schema): Schema | undefined {
  const [schema, nothing] = Array.isArray(anyOf) && anyOf.length === 2 ? (anyOf as Schema[]) : []
  if (typeof schema?.['type'] !== 'string' || nothing?.['type'] !== 'null') return undefined
  return { ...rest, ...schema, type: [schema['type'], 'null'] }
}
