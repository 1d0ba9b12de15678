// The quotas of a workspace: how many bytes, pages and sites it may have. A quota rejects growth past its limit. Existing content stays.

import { type ErrorCode, ServiceError } from '../model/errors.js'

interface QuotaRow {
  name: string
  /** The setting with the quota of every workspace that has none of its own; unset, there is no limit. */
  setting: string
  what: string
  status: number
  code: ErrorCode
}

export const QUOTAS = [
  {
    name: 'bytes',
    setting: 'MAX_WORKSPACE_BYTES',
    what: 'bytes of repositories on the disk, with their history and their change requests',
    status: 507,
    code: 'byte_quota_exceeded',
  },
  {
    name: 'pages',
    setting: 'MAX_WORKSPACE_PAGES',
    what: 'published pages of all sites',
    status: 403,
    code: 'page_quota_exceeded',
  },
  {
    name: 'sites',
    setting: 'MAX_WORKSPACE_SITES',
    what: 'sites, with those that are being imported',
    status: 403,
    code: 'site_quota_exceeded',
  },
] as const satisfies readonly QuotaRow[]

/** Change requests that may be open at once. */
export const OPEN_REQUESTS = {
  site: {
    name: 'quota-of-change-requests',
    quota: 1_000,
    counts: 'site',
    remedy: 'Publish or close some of them.',
  },
  author: {
    name: 'quota-of-own-change-requests',
    quota: 100,
    counts: 'author in a site; a person with all keys and agents of the person is one',
    remedy: 'Publish or close some of yours.',
  },
} as const

/** Days for which the time of a change request may lie ahead. */
export const SCHEDULE_AHEAD_DAYS = 366

export type QuotaName = (typeof QUOTAS)[number]['name']
/** Null: no limit. */
export type Quotas = Readonly<Record<QuotaName, number | null>>

/** The settings, by the names in `Limits`. */
export interface QuotaLimits {
  maxWorkspaceBytes?: number | undefined
  maxWorkspacePages?: number | undefined
  maxWorkspaceSites?: number | undefined
}

/** A workspace's own quotas: `none` lifts the setting, and null leaves it in force. */
export type OwnQuotas = Readonly<Record<QuotaName, number | 'none' | null>>

/** Returns the quotas in force for a workspace. */
export function quotasOf(limits: QuotaLimits, own: OwnQuotas): Quotas {
  const settings = {
    bytes: limits.maxWorkspaceBytes,
    pages: limits.maxWorkspacePages,
    sites: limits.maxWorkspaceSites,
  }
  const inForce = (name: QuotaName) => (own[name] === 'none' ? null : (own[name] ?? settings[name] ?? null))
  return { bytes: inForce('bytes'), pages: inForce('pages'), sites: inForce('sites') }
}

/** The part of a quota that is used. */
export interface Use {
  used: number
  quota: number
}

/** The use of a workspace as a write begins, for each quota that it has. */
export interface QuotaUse {
  bytes?: Use
  pages?: Use
}

/** A change of a site. */
export interface Change {
  /** The bytes that it brings to the repository. */
  storedBytes: number
  /** Counts the published pages that it adds; negative if it removes more. Asked only if there is a quota. */
  addedPages: () => number
  /** Sums the bytes by which it makes the files longer; negative if it makes them shorter. Asked only past the quota. */
  addedBytes: () => number
}

/**
 * Throws `page_quota_exceeded` and `byte_quota_exceeded` for a change that would pass a quota. One that adds no page, and stores nothing or
 * makes the files shorter, always goes on.
 */
export function refuseBeyond({ bytes, pages }: QuotaUse, { storedBytes, addedPages, addedBytes }: Change): void {
  if (pages !== undefined) refuseUse('pages', pages, addedPages())
  if (bytes !== undefined && isBeyond(bytes, storedBytes) && addedBytes() >= 0)
    throw beyond('bytes', bytes, storedBytes)
}

/** Throws the refusal of that quota if so many more would pass it. */
export function refuseUse(name: QuotaName, use: Use, more: number): void {
  if (isBeyond(use, more)) throw beyond(name, use, more)
}

export function isBeyond({ used, quota }: Use, more: number): boolean {
  return more > 0 && used + more > quota
}

const REMEDIES = {
  bytes: 'Delete a site (a deleted page stays in the history), or ask the operator for more.',
  pages: 'Unpublish pages, or ask the operator for more.',
  sites: 'Delete a site, or ask the operator for more.',
} as const

/** Throws `too_many_change_requests` if one more would pass the quota. */
export function refuseRequests(
  { quota, remedy }: (typeof OPEN_REQUESTS)[keyof typeof OPEN_REQUESTS],
  used: number,
): void {
  if (!isBeyond({ used, quota }, 1)) return
  const figures = `${used} of ${quota} change requests are open, and this would add 1`
  throw new ServiceError('too_many_change_requests', `Nothing was changed: ${figures}. ${remedy}`, {
    used,
    adds: 1,
    quota,
  })
}

function beyond(name: QuotaName, { used, quota }: Use, more: number): ServiceError {
  const figures = `the workspace has ${used} of ${quota} ${name}, and this would add ${more}`
  const { code } = QUOTAS.find((row) => row.name === name) ?? QUOTAS[0]
  return new ServiceError(code, `Nothing was changed: ${figures}. ${REMEDIES[name]}`, {
    used,
    adds: more,
    quota,
  })
}
