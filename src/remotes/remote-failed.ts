// Why a remote cannot be used, in a sentence for whoever named it: in the remote's own words where it has any.

const MAX_WORDS = 500

export class RemoteFailed extends Error {
  override name = 'RemoteFailed'
}

/** Text of a remote as one line that any terminal and page may show. `secrets` that it repeats are left out. */
export function wordsOf(text: string, secrets: readonly string[] = []): string {
  const known = secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text)
  const line = known.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()
  return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS)}…` : line
}
