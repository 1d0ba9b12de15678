// The client's type, and the types of its answers.

import type { Client } from 'openapi-fetch'
import type { Paths } from './api-types.js'

/** Has `GET`, `PUT`, … for each path. */
export interface ApiClient extends Client<Paths, 'application/json'> {
  /** The site of its requests; undefined if the service chooses. */
  readonly siteId?: string | undefined
}

/** The `data` of a path's answer. */
export type DataOf<Path extends keyof Paths, Method extends keyof Paths[Path]> = Paths[Path][Method] extends {
  responses: { 200: { content: { 'application/json': { data: infer Data } } } }
}
  ? Data
  : never
