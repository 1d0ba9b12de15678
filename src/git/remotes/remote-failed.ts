// The failure of a remote, as a sentence for the person who named the remote. It quotes the remote if the remote gave a reason.

const MAX_WORDS = 500

export class RemoteFailed extends Error {
  override name = 'RemoteFailed'
}

/** Makes a remote's text one line that is safe for any terminal and page. Any of the `secrets` in it are masked. */
export function wordsOf(text: string, secrets: readonly string[] = []): string {
  const known = secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text)
  const line = known.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()
  return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS)}…` : line
}
