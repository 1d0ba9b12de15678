// Asks what a write did: the files that it changed, and what its author may not want, as a dry run tells it before.

import { type AskApi, ApiFailure, sendRequest } from './ask-api.js'
import { findDefaultSite, headerOf, type Place } from './resolve-names.js'
import type { Warning } from './text/change-text.js'
import type { Tool } from './tools/tool.js'

type Fields = Record<string, unknown>

/** The write is done, so its answer does not wait long for this. */
const MAX_WAIT_MS = 5_000

/** Files that a write changed, and its warnings. */
export interface Effects {
  files?: unknown[]
  warnings?: Warning[]
}

/** Returns the effects of the write that `data` answers; none if it made no commit, was a dry run, or the service does not tell. */
export async function findEffects(
  ask: AskApi,
  { definition, arguments: known }: Tool,
  { place, data }: { place: Place; data: Fields },
  signal: AbortSignal,
): Promise<Effects> {
  const commit = commitOf(data)
  const isWrite = definition.effect !== 'reads' && known.has('dryRun')
  if (!isWrite || commit === undefined || data['dryRun'] !== undefined || data['changed'] === false) return {}
  try {
    const id = (data['siteId'] as string | undefined) ?? place.siteId ?? (await findDefaultSite(ask, place, signal))
    const params = { header: headerOf(place), path: { id, oid: commit }, query: { warnings: true } }
    const request = { method: 'get', path: '/sites/{id}/commits/{oid}', params } as const
    const { files = [], warnings = [] } = (await sendRequest(ask, request, signal, MAX_WAIT_MS)).data as Effects
    // A page that was not looked at is no fault of the write.
    return { files, warnings: warnings.filter(({ code }) => code !== 'links_unchecked') }
  } catch (error) {
    if (error instanceof ApiFailure) return {}
    throw error
  }
}

/** The commit that the write made: the entity tag of a page names it. */
function commitOf({ commit, version, etag }: Fields): string | undefined {
  if (typeof commit === 'string') return commit
  return version !== undefined && typeof etag === 'string' ? etag.replaceAll('"', '') : undefined
}
