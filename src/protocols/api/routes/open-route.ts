// A route that needs no key, as data: browsers sign in and out by it.

import type { TObject, TSchema } from 'typebox'
import type { Result } from '../../../usecases/context/result.js'
import type { Services } from '../../../usecases/context/services.js'
import type { Browser } from '../sign-in/browser.js'
import { type Answer, DEFAULTS, type Method, type RouteColumns, type StaticOf } from './route.js'

export interface OpenRoute extends RouteColumns {
  caller: 'nobody' | 'browser'
  /** The whole path. */
  path: string
  /** The limit that counts its calls, by address: those that fail, those that begin something, or all of guests. */
  limit?: 'failed-sign-ins' | 'begun-sign-ins' | 'guests'
  /** Whether the caller must be signed in all the same: then `Browser.principal` is set. */
  needsSession: boolean
  /** Runs the use case. `input` must have been checked against the schemas. */
  run: (call: BrowserCall, input: object) => Result | Promise<Result>
}

/** A call of a route that needs no key, as one object: the sender, and the parts of the service. */
export type BrowserCall = Services & Browser

interface OpenRouteDraft<M extends Method, Path extends string, Q, B, D>
  extends Pick<OpenRoute, 'operationId' | 'tag' | 'summary'>,
    Partial<Pick<OpenRoute, 'description' | 'caller' | 'creates' | 'limit' | 'needsSession' | 'errors'>> {
  method: M
  path: Path
  data: D
  query?: Q
  json?: B
  maxBytes?: number
  run: (call: BrowserCall, input: StaticOf<Q> & StaticOf<B>) => Answer<D, false> | Promise<Answer<D, false>>
}

/** The same as TypedRoute, for a route that needs no key. */
export interface TypedOpenRoute<M extends Method, Path extends string, Q, B, D> extends OpenRoute {
  method: M
  path: Path
  params?: Extract<undefined, TObject>
  query?: Extract<Q, TObject>
  body?: { json: Extract<B, TObject>; html: false }
  data: Extract<D, TSchema>
  list: false
}

/** Returns a route that needs no key, with its defaults. */
export function openRoute<
  M extends Method,
  Path extends string,
  D extends TSchema,
  Q extends TObject | undefined = undefined,
  B extends TObject | undefined = undefined,
>(draft: OpenRouteDraft<M, Path, Q, B, D>): TypedOpenRoute<M, Path, Q, B, D> {
  const { query, json, maxBytes, run, ...rest } = draft
  const whole: OpenRoute = {
    ...DEFAULTS,
    caller: 'browser',
    needsSession: false,
    errors: [],
    ...rest,
    ...(query && { query }),
    ...(json && { body: { json, html: false, ...(maxBytes !== undefined && { maxBytes }) } }),
    run: (call, input) => run(call, input as StaticOf<Q> & StaticOf<B>),
  }
  return whole as TypedOpenRoute<M, Path, Q, B, D>
}
