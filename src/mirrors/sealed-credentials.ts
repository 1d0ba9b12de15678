// The credentials of a mirror as the catalog keeps them: sealed for its site and URL.

import type { Mirror } from '../catalog/remotes/mirrors.js'
import { ServiceError } from '../model/errors.js'
import type { RemoteCredentials } from '../remotes/remote.js'
import type { SecretBox } from './secret-box.js'

/** Throws `conflict` where the service has no key for secrets. */
export function sealCredentials(
  secrets: SecretBox | undefined,
  { siteId, url }: Pick<Mirror, 'siteId' | 'url'>,
  credentials: RemoteCredentials,
): string {
  if (secrets !== undefined) return secrets.seal(JSON.stringify(credentials), placeOf(siteId, url))
  throw new ServiceError(
    'conflict',
    'This service can keep no credentials: its operator has to set SECRETS_KEY_FILE. A remote that asks for none can be mirrored to.',
  )
}

/** Null where the mirror needs none; undefined where the service has no key, or not the one that sealed them. */
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
