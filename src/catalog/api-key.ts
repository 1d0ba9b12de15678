// An API key as the service uses it, and the row that holds it.

import { isToolset, type Principal, type Toolset } from '../model/principal.js'
import type { Scope } from '../model/rights/scopes.js'
import type { Row } from './database/catalog-database.js'
import { joinWords, splitScopes, splitWords } from './database/word-list.js'

type KeyRow = Row<'apiKeys'>

export interface KeyOffer {
  /** The id of the person who had the key. */
  from: string
  /** RFC 3339. */
  until: string
}

type Unread =
  | 'scopes'
  | 'sites'
  | 'paths'
  | 'origins'
  | 'toolset'
  | 'mintedBy'
  | 'hash'
  | 'offeredUntil'
  | 'offeredFrom'

export interface ApiKey extends Omit<KeyRow, Unread> {
  scopes: Scope[]
  sites: string[] | null
  paths: string[] | null
  origins: string[] | null
  toolset: Toolset | null
  mintedBy: { kind: Principal['kind']; id: string } | null
  /** Set if the key is offered to its person, who had none like it: no secret opens it. Null for all other keys. */
  offer: KeyOffer | null
}

/** `hash` is `hashKey` of the key. The key itself is shown to its owner and never kept. */
export type NewApiKey = Omit<ApiKey, 'revokedAt' | 'lastUsedAt' | 'userId' | 'offer'> & {
  hash: string
  userId?: string | null
}

/** Whether the key opens anything at this time. */
export function isUsable(key: ApiKey, now: Date): boolean {
  return (
    key.revokedAt === null &&
    key.offer === null &&
    (key.expiresAt === null || now.getTime() < Date.parse(key.expiresAt))
  )
}

export function rowOfKey(key: NewApiKey): KeyRow {
  const { id, workspaceId, label, prefix, hash, toolset, mintedBy, userId = null, expiresAt, createdAt } = key
  return {
    id,
    workspaceId,
    label,
    prefix,
    hash,
    scopes: joinWords(key.scopes),
    sites: joinWords(key.sites),
    paths: key.paths && JSON.stringify(key.paths),
    origins: joinWords(key.origins),
    toolset,
    expiresAt,
    revokedAt: null,
    mintedBy: mintedBy && `${mintedBy.kind} ${mintedBy.id}`,
    userId,
    offeredUntil: null,
    offeredFrom: null,
    lastUsedAt: null,
    createdAt,
  }
}

export function readKey(row: KeyRow): ApiKey {
  const { id, workspaceId, label, prefix, expiresAt, revokedAt, userId, lastUsedAt, createdAt } = row
  return {
    id,
    workspaceId,
    label,
    prefix,
    scopes: splitScopes(row.scopes),
    sites: splitWords(row.sites),
    // A list that cannot be read allows nothing.
    paths: row.paths === null ? null : readPaths(row.paths),
    origins: splitWords(row.origins),
    // A toolset of a newer version is ignored.
    toolset: row.toolset !== null && isToolset(row.toolset) ? row.toolset : null,
    expiresAt,
    revokedAt,
    mintedBy: readMinter(row.mintedBy),
    userId,
    offer: row.offeredUntil === null ? null : { from: row.offeredFrom ?? '', until: row.offeredUntil },
    lastUsedAt,
    createdAt,
  }
}

function readPaths(text: string): string[] {
  try {
    const paths = JSON.parse(text) as unknown
    return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : []
  } catch {
    return []
  }
}

function readMinter(minter: string | null): ApiKey['mintedBy'] {
  if (minter === null) return null
  const space = minter.indexOf(' ')
  return { kind: minter.slice(0, space) as Principal['kind'], id: minter.slice(space + 1) }
}
