// What the tools need to know of an endpoint. The API's route table has this form and is passed in, because doors do not import one
// another.

import type { TObject, TSchema } from 'typebox'

export interface Operation {
  operationId: string
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Below `/api/v1`, parameters in braces: `/pages/{id}`. */
  path: string
  params?: TObject
  query?: TObject
  body?: { json: TObject }
  /** Schema of the answer's `data`; of one entry where `list` is set. */
  data: TSchema
  list: boolean
  ifMatch: boolean
}
