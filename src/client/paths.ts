// The API as types for openapi-fetch, derived from the schemas of the route table. Types only: no code of the service is
// loaded.

import type { Client } from 'openapi-fetch'
import type { Static, TSchema } from 'typebox'
import type { errorBody } from '../../schemas/common.js'
import type { ApiRoute } from '../api/routes/table.js'

/** By path and method, in the form that openapi-typescript generates. */
export type Paths = {
  [Path in ApiRoute['path']]: { [R in Extract<ApiRoute, { path: Path }> as R['method']]: Operation<R> }
}

/** Has `GET`, `PUT`, … for each path. */
export type ApiClient = Client<Paths, 'application/json'>

/** The `data` of a path's answer. */
export type DataOf<Path extends keyof Paths, Method extends keyof Paths[Path]> = Paths[Path][Method] extends {
  responses: { 200: { content: { 'application/json': { data: infer Data } } } }
}
  ? Data
  : never

/** Workspace, site and conditions of a request. */
interface HeaderFields {
  'x-service-account-id'?: string
  'x-service-site-id'?: string
  'If-Match'?: string
  'If-None-Match'?: string
  'Idempotency-Key'?: string
}

type FilterOperator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains'

/** `{year: 8}` is sent as `filter[year]=8`, `{year: {lt: 100}}` as `filter[year][lt]=100`. */
export type Filter = Record<string, FilterValue | Partial<Record<FilterOperator, FilterValue>>>
type FilterValue = string | number | boolean

type Operation<R extends ApiRoute> = {
  parameters: { header?: HeaderFields } & PathParameters<R> & QueryParameters<R>
  responses: Record<200 | 201, Answer<Envelope<R>>> & { default: Answer<Static<typeof errorBody>> }
} & RequestBody<R>

type PathParameters<R extends ApiRoute> = [NonNullable<R['params']>] extends [never]
  ? { path?: never }
  : { path: StaticOf<R['params']> }

type QueryParameters<R extends ApiRoute> = [NonNullable<R['query']>] extends [never]
  ? { query?: never }
  : Partial<StaticOf<R['query']>> extends StaticOf<R['query']>
    ? { query?: Query<StaticOf<R['query']>> }
    : { query: Query<StaticOf<R['query']>> }

type Query<Q> = { [Name in keyof Q]: Name extends 'filter' ? Filter : Q[Name] }

type RequestBody<R extends ApiRoute> = [NonNullable<R['body']>['json']] extends [never]
  ? { requestBody?: never }
  : { requestBody: Answer<StaticOf<NonNullable<R['body']>['json']>> }

type Answer<T> = { content: { 'application/json': T } }

type Envelope<R extends ApiRoute> = R['list'] extends true
  ? { success: true; data: Static<R['data']>[]; paging: { nextCursor: string | null } }
  : { success: true; data: Static<R['data']> }

type StaticOf<T> = NonNullable<T> extends TSchema ? Static<NonNullable<T>> : never
