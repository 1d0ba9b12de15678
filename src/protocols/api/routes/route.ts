// An endpoint as data. The dispatcher, the OpenAPI document, client types and tools are all made from it, so they cannot drift apart.

import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from '../../../model/errors.js'
import type { Scope } from '../../../model/rights/scopes.js'
import type { ByteSource } from '../../../model/bytes.js'
import type { Result } from '../../../usecases/context/result.js'
import type { Services } from '../../../usecases/context/services.js'
import type { Call } from '../../../usecases/context/call.js'

/** Prefix of the paths of all routes for keys. */
export const API_PREFIX = '/api/v1'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/**
 * The callers of an endpoint. `nobody`: anybody. `browser`: a page of the service itself. `key`: the holder of a key, an agent's token or a
 * session.
 */
export type Caller = 'nobody' | 'browser' | 'key'

/** The columns of every route. */
export interface RouteColumns {
  method: Method
  caller: Caller
  operationId: string
  tag: string
  summary: string
  description?: string
  params?: TObject
  query?: TObject
  body?: RouteBody
  /** The body is bytes of any media type, streamed; this limit bounds their number. */
  bytes?: ByteLimit
  /** Answers the bytes of a file, with conditions and ranges, instead of an envelope: `run` answers `Content`. */
  content: boolean
  /** Schema of the answer's `data`, or of one entry if `list` is set. */
  data: TSchema
  list: boolean
  /** Whether it may answer 201. */
  creates: boolean
  /** Whether it may answer 202. */
  accepts: boolean
  ifMatch: boolean
  ifNoneMatch: boolean
  /**
   * Whether people in a session must have proved lately who they are (`refuseUnproven`); a function decides by the input. Acts need it that
   * give rights or ways in, publish the past, send content elsewhere, or end what cannot be had back. Acts that only take rights away from
   * programs and links do not: they must be quick.
   */
  needsProof: boolean | ((input: object) => boolean)
  /** Error codes in addition to those that every route has. */
  errors: readonly ErrorCode[]
}

/** A route for keys, agents and sessions. */
export interface Route extends RouteColumns {
  caller: 'key'
  /** Path below `/api/v1`, with parameters in braces: `/pages/{id}`. */
  path: string
  scope: Scope
  /** Whether keys limited to paths may call it: it writes only to pages and files, and enforces those paths itself. */
  byPaths: boolean
  /** Whether people in a session may call it without its scope: its use case then finds and changes only what is their own. */
  forOneself: boolean
  /** Whether only owners who are signed in may call it. Keys and agents never may. */
  forOwners: boolean
  /** Runs the use case. `input` must have been checked against the schemas. */
  run: (call: Call<keyof Services>, input: object) => Result | Promise<Result>
}

/** The limit of a body that is streamed. */
export type ByteLimit = 'maxFileBytes' | 'maxDeployBytes'

export interface RouteBody {
  json: TObject
  /** Accepts `text/html` too: the document alone, with all other fields in the query. */
  html: boolean
  /** Bound of a body that anybody may send. Default: the longest that fits the schema. */
  maxBytes?: number
}

interface Conditions {
  ifMatch?: readonly string[] | '*'
  ifNoneMatch?: '*'
}

export type StaticOf<T> = T extends TSchema ? Static<T> : object
export type Answer<D, L> = D extends TSchema ? Result<L extends true ? Static<D>[] : Static<D>> : never
type SentBytes<U> = U extends ByteLimit ? { bytes: ByteSource } : object
type RawHtml<H> = H extends true ? { html?: string | Uint8Array } : object

type Input<P, Q, B, H, U> = StaticOf<P> &
  StaticOf<Q> &
  Omit<StaticOf<B>, H extends true ? 'html' : never> &
  RawHtml<H> &
  SentBytes<U> &
  Conditions

/** A route as it is written in the table, where defaults are left out. `run` gets the types of its schemas. */
interface RouteDraft<M extends Method, Path extends string, P, Q, B, H extends boolean, D, L extends boolean, U>
  extends Pick<Route, 'operationId' | 'tag' | 'summary'>,
    Partial<
      Pick<
        Route,
        | 'description'
        | 'scope'
        | 'creates'
        | 'accepts'
        | 'content'
        | 'byPaths'
        | 'forOneself'
        | 'forOwners'
        | 'needsProof'
        | 'ifMatch'
        | 'ifNoneMatch'
        | 'errors'
      >
    > {
  method: M
  path: Path
  data: D
  list?: L
  params?: P
  query?: Q
  json?: B
  html?: H
  bytes?: U
  run: (call: Call<keyof Services>, input: Input<P, Q, B, H, U>) => Answer<D, L> | Promise<Answer<D, L>>
}

/** A route whose schemas the compiler knows: the client's types are made from them. */
export interface TypedRoute<M extends Method, Path extends string, P, Q, B, H extends boolean, D, L extends boolean>
  extends Route {
  method: M
  path: Path
  params?: Extract<P, TObject>
  query?: Extract<Q, TObject>
  body?: { json: Extract<B, TObject>; html: H }
  data: Extract<D, TSchema>
  list: L
}

/** The columns of every route, as they are where the table leaves them out. */
export const DEFAULTS = {
  list: false,
  content: false,
  needsProof: false,
  creates: false,
  accepts: false,
  ifMatch: false,
  ifNoneMatch: false,
} as const

/** Returns the route with its defaults. */
export function route<
  M extends Method,
  Path extends string,
  D extends TSchema,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
  H extends boolean = false,
  L extends boolean = false,
  U extends ByteLimit | undefined = undefined,
>(draft: RouteDraft<M, Path, P, Q, B, H, D, L, U>): TypedRoute<M, Path, P, Q, B, H, D, L> {
  const { params, query, json, html = false, bytes, scope = 'read', run, ...rest } = draft
  const whole: Route = {
    caller: 'key',
    ...DEFAULTS,
    byPaths: false,
    forOneself: false,
    forOwners: false,
    ...rest,
    errors: [...(rest.errors ?? []), ...(rest.needsProof === undefined ? [] : (['fresh_proof_required'] as const))],
    scope,
    ...(params && { params }),
    ...(query && { query }),
    ...(bytes && { bytes }),
    ...(json && { body: { json, html } }),
    run: (call, input) => run(call, input as Input<P, Q, B, H, U>),
  }
  return whole as TypedRoute<M, Path, P, Q, B, H, D, L>
}

/** Whether the endpoint works on a change request too. */
export function takesRequest({ query }: Pick<RouteColumns, 'query'>): boolean {
  return query !== undefined && 'changeRequest' in query.properties
}
