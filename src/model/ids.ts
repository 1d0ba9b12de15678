// The forms of identifiers. Ids are stored and compared in lower case.

import { v5 } from 'uuid'

/** UUIDs that the API accepts: versions 1 to 8 with the RFC 9562 variant, the all-zero and the all-f one (spec §8). */
export const UUID_PATTERN =
  '^(?:[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|[fF]{8}-[fF]{4}-[fF]{4}-[fF]{4}-[fF]{12})$'

const uuid = new RegExp(UUID_PATTERN)

export function isUuid(text: string): boolean {
  return uuid.test(text)
}

/** Whether the text is a full SHA-1 object id as git prints it. */
export function isOid(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text)
}

/** Whether an id is one of `derivedPageIds`: made of names (RFC 9562 §5.5), or a later one. */
export function isDerivedId(id: string): boolean {
  return id[14] === '5' || isLaterId(id)
}

/** Whether an id is one of `derivedPageIds`, and not the first: such ids have a version of their own (RFC 9562 §5.8). */
export function isLaterId(id: string): boolean {
  return id[14] === '8'
}

/** Returns the id of a page without a sidecar: the same in every clone of the same site (design §3). */
export function derivePageId(siteId: string, path: string): string {
  return v5(path, siteId)
}

/** How many pages without a sidecar may leave one path with their ids; then a file there is no page until it has a sidecar. */
const MAX_DERIVED_IDS = 64

/** Yields the ids that a page without a sidecar may have at a path. Sidecars may have taken the first ones to other paths. */
export function* derivedPageIds(siteId: string, path: string): Generator<string> {
  yield derivePageId(siteId, path)
  for (let moved = 1; moved < MAX_DERIVED_IDS; moved++) {
    // No path has a control character, so no other path derives these.
    const id = v5(`${path}\0${moved}`, siteId)
    yield `${id.slice(0, 14)}8${id.slice(15)}`
  }
}

/** Returns the id of a page without a sidecar; `isTaken` says whether a sidecar has an id. Undefined if too many pages have moved away. */
export function freeDerivedId(siteId: string, path: string, isTaken: (id: string) => boolean): string | undefined {
  for (const id of derivedPageIds(siteId, path)) if (!isTaken(id)) return id
  return undefined
}

/** Whether a page without a sidecar may have the id at this path. */
export function mayDerive(siteId: string, path: string, id: string): boolean {
  if (!isDerivedId(id)) return false
  for (const derived of derivedPageIds(siteId, path)) if (derived === id) return true
  return false
}
