// What the tools need to know of an endpoint. The API's route table has this form and is passed in, because doors do not import one
// another.

import type { TObject } from 'typebox'

export interface Operation {
  operationId: string
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Below `/api/v1`, parameters in braces: `/pages/{id}`. */
  path: string
  params?: TObject
  query?: TObject
  body?: { json: TObject }
  /** Whether the answer's `data` is a list. */
  list: boolean
  ifMatch: boolean
}
