// The public API as the dashboard calls it: with the session's cookie where a program sends a key.

import type { Static } from 'typebox'
import type { collectionData, recordData } from '../../schemas/collections.js'
import type { keyData, newKeyData } from '../../schemas/keys.js'
import type { pageData, versionData } from '../../schemas/pages.js'
import type { checksData, commitData, meData, siteData, templateData } from '../../schemas/sites.js'

export type Page = Static<typeof pageData>
export type Version = Static<typeof versionData>
export type Site = Static<typeof siteData>
export type Commit = Static<typeof commitData>
export type Checks = Static<typeof checksData>
export type Collection = Static<typeof collectionData>
export type StoredRecord = Static<typeof recordData>
export type Key = Static<typeof keyData>
export type NewKey = Static<typeof newKeyData>
export type Template = Static<typeof templateData>
export type Me = Static<typeof meData>

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Options {
  body?: unknown
  /** The site that ids and paths are looked up in. */
  site?: string
  ifMatch?: string
  signal?: AbortSignal
}

export interface Listing<T> {
  entries: T[]
  nextCursor: string | null
}

/** A refusal of the service; `message` says what to do, and is fit to be shown. */
export class ApiError extends Error {
  readonly code: string
  readonly status: number
  readonly details: unknown

  constructor(status: number, code: string, message: string, details?: unknown) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.details = details
  }
}

interface Answer {
  data: unknown
  paging?: { nextCursor: string | null }
}

/** Told when the service says that there is no session (any more). */
let onSignedOut: () => void = () => undefined

export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener
}

/** `data` of the answer. `path` is below `/api/v1`. Throws ApiError. */
export async function call<T>(method: Method, path: string, options: Options = {}): Promise<T> {
  return (await request(method, `/api/v1${path}`, options)).data as T
}

/** One slice of a list. */
export async function list<T>(path: string, options: Options = {}): Promise<Listing<T>> {
  const { data, paging } = await request('GET', `/api/v1${path}`, options)
  return { entries: data as T[], nextCursor: paging?.nextCursor ?? null }
}

/** Every entry, in slices, up to `most`; `onSlice` gets all that have arrived so far. */
export async function listAll<T>(
  path: string,
  options: Options & { most: number; onSlice?: (entries: T[]) => void },
): Promise<Listing<T>> {
  const { most, onSlice, ...rest } = options
  const entries: T[] = []
  let cursor: string | null = null
  do {
    const at: string = withQuery(path, { limit: '1000', ...(cursor !== null && { cursor }) })
    // Each slice begins where the one before ended.
    // oxlint-disable-next-line no-await-in-loop
    const slice: Listing<T> = await list<T>(at, rest)
    entries.push(...slice.entries)
    cursor = slice.nextCursor
    onSlice?.([...entries])
  } while (cursor !== null && entries.length < most)
  return { entries, nextCursor: cursor }
}

/** Begins a session with the token of a sign-in link. */
export async function signIn(token: string): Promise<void> {
  await request('POST', '/session', { body: { token } })
}

export async function signOut(everywhere: boolean): Promise<void> {
  await request('DELETE', everywhere ? '/session?everywhere=true' : '/session', {})
}

export function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString()
  if (text === '') return path
  return path + (path.includes('?') ? '&' : '?') + text
}

async function request(method: Method, path: string, options: Options): Promise<Answer> {
  const response = await send(method, path, options)
  const answer = (await response.json().catch(() => undefined)) as
    | (Answer & { error?: { code: string; message: string; details?: unknown } })
    | undefined
  if (response.ok && answer !== undefined) return answer
  const { code = 'internal', message = `The service answered ${response.status}.`, details } = answer?.error ?? {}
  if (response.status === 401) onSignedOut()
  throw new ApiError(response.status, code, message, details)
}

async function send(method: Method, path: string, { body, site, ifMatch, signal }: Options): Promise<Response> {
  const headers: Record<string, string> = {}
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (site !== undefined) headers['x-service-site-id'] = site
  if (ifMatch !== undefined) headers['if-match'] = ifMatch
  try {
    return await fetch(path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(0, 'unreachable', 'The service cannot be reached. Your words are kept here; try again.')
  }
}
