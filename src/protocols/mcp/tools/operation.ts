// The part of an endpoint that the tools need. The API's route table has this form and is passed in, because `api` and `mcp` do not import
// each other.

import type { TObject } from 'typebox'
import type { Scope } from '../../../model/rights/scopes.js'

export interface Operation {
  operationId: string
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Path below `/api/v1`, with parameters in braces: `/pages/{id}`. */
  path: string
  params?: TObject
  query?: TObject
  body?: { json: TObject }
  /** Whether the answer's `data` is a list. */
  list: boolean
  ifMatch: boolean
  /** The scope that a caller needs; `propose` is enough for the dry run of a write. */
  scope: Scope
}
