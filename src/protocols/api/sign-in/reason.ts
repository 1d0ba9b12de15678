// Tells the log why a sign-in failed: the messages of the causes, never their values, which may be tokens.

const MAX_CAUSES = 4
const MAX_CHARACTERS = 500

export function reasonOf({ cause }: Error): string | undefined {
  const words: string[] = []
  for (let [error, left] = [cause, MAX_CAUSES]; error !== undefined && left > 0; left -= 1) {
    if (typeof error === 'string') words.push(error)
    if (!(error instanceof Error)) break
    words.push(error.message)
    // The code of OAuth: `access_denied`.
    if ('error' in error && typeof error.error === 'string') words.push(error.error)
    error = error.cause
  }
  return words.length === 0 ? undefined : words.join(': ').slice(0, MAX_CHARACTERS)
}
