// Makes bytes into bodies and hashes, as git and the API take them.

/**
 * Returns the parts of a request that sends bytes instead of a JSON body: `client.PUT('/files', { params: { query: { path: '/logo.svg' } },
 * ...bytesBody(bytes) })`.
 */
export function bytesBody(bytes: Blob): { body: never; bodySerializer: () => Blob; headers: Record<string, string> } {
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- bytes travel as they are, whatever the schema calls them
    body: bytes as never,
    bodySerializer: () => bytes,
    headers: { 'Content-Type': bytes.type || 'application/octet-stream' },
  }
}

/** Returns the oid that `git hash-object` prints for these bytes. Browsers hash only in secure contexts. */
export async function oidOf(bytes: Blob): Promise<string> {
  return await hexDigest('SHA-1', await new Blob([`blob ${bytes.size}\0`, bytes]).arrayBuffer())
}

export async function hexDigest(
  algorithm: 'SHA-1' | 'SHA-256',
  bytes: ArrayBuffer | Uint8Array<ArrayBuffer>,
): Promise<string> {
  const digest = await crypto.subtle.digest(algorithm, bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
