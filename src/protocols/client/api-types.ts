// The API as types for openapi-fetch, derived from the schemas of the route table: no code of the service is loaded. The package of the
// client has the same types written out (scripts/build/print-api-types.js).

import type { Static, TSchema } from 'typebox'
import type { errorBody } from '../../../schemas/common.js'
import type { fileContent } from '../../../schemas/files.js'
import type { ApiRoute } from '../api/routes/table.js'
import type { Filter, HeaderFields } from './request-types.js'

export type { ErrorCode } from '../../model/errors.js'

/** The body of a refusal. */
export type ErrorBody = Static<typeof errorBody>

/** Types by path and method, in the form that openapi-typescript generates. */
export type Paths = {
  [Path in ApiRoute['path']]: { [R in Extract<ApiRoute, { path: Path }> as R['method']]: Operation<R> }
}

type Operation<R extends ApiRoute> = {
  parameters: { header?: HeaderFields } & PathParameters<R> & QueryParameters<R>
  responses: Record<200 | 201 | 202, Answer<Envelope<R>>> & { default: Answer<ErrorBody> }
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

/** The body of an answer. The bytes of a file come without an envelope: `parseAs: 'blob'` reads them. */
type Envelope<R extends ApiRoute> = R['data'] extends typeof fileContent
  ? Blob
  : R['list'] extends true
    ? { success: true; data: Static<R['data']>[]; paging: { nextCursor: string | null } }
    : { success: true; data: Static<R['data']>; changeRequest?: string }

type StaticOf<T> = NonNullable<T> extends TSchema ? Static<NonNullable<T>> : never
