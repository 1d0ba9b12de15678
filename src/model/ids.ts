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

/** Whether an id is made of names (RFC 9562 §5.5), as by `derivePageId`. */
export function isDerivedId(id: string): boolean {
  return id[14] === '5'
}

/** Returns the id of a page without a sidecar: the same in every clone of the same site (design §3). */
export function derivePageId(siteId: string, path: string): string {
  return v5(path, siteId)
}
