// Seals the credentials of a mirror, for its site and URL, so that the catalog can keep them.

import type { Mirror } from '../../catalog/remotes/mirrors.js'
import { ServiceError } from '../../model/errors.js'
import type { RemoteCredentials } from '../../git/remotes/remote.js'
import type { SecretBox } from '../../catalog/database/secret-box.js'

/** Throws `conflict` if the service has no key for secrets. */
export function sealCredentials(
  secrets: SecretBox | undefined,
  { siteId, url }: Pick<Mirror, 'siteId' | 'url'>,
  credentials: RemoteCredentials,
): string {
  if (secrets !== undefined) return secrets.seal(JSON.stringify(credentials), placeOf(siteId, url))
  throw new ServiceError(
    'conflict',
    'This service cannot keep credentials: its operator must set SECRETS_KEY_FILE. Mirrors without credentials work.',
  )
}

/** Returns null if the mirror needs none; undefined if the service has no key, or another one than the one that sealed them. */
export function openCredentials(
  secrets: SecretBox | undefined,
  { siteId, url, sealedCredentials }: Mirror,
): RemoteCredentials | null | undefined {
  if (sealedCredentials === null) return null
  const opened = secrets?.open(sealedCredentials, placeOf(siteId, url))
  return opened === undefined ? undefined : (JSON.parse(opened) as RemoteCredentials)
}

function placeOf(siteId: string, url: string): string {
  return `mirror ${siteId} ${url}`
}
