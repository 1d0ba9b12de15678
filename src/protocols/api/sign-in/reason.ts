// Tells the log why a sign-in failed: the messages of the causes, never their values, which may be tokens or claims.

const MAX_CAUSES = 4
const MAX_CHARACTERS = 500
/** A token in the form of JOSE: its header begins with `{"`. */
const TOKEN = /\beyJ[\w-]*(?:\.[\w-]*)*/g
const OAUTH_CODE = /^[a-z_]{1,64}$/

export function reasonOf({ cause }: Error): string | undefined {
  // Only a text that this program put there itself. Deeper ones are values.
  if (typeof cause === 'string') return cause.slice(0, MAX_CHARACTERS)
  const words: string[] = []
  for (let [error, left] = [cause, MAX_CAUSES]; error instanceof Error && left > 0; left -= 1) {
    words.push(messageOf(error))
    // The code of OAuth: `access_denied`.
    if ('error' in error && typeof error.error === 'string' && OAUTH_CODE.test(error.error)) words.push(error.error)
    error = error.cause
  }
  return words.length === 0 ? undefined : words.join(': ').slice(0, MAX_CHARACTERS)
}

/** A parser quotes what it cannot read. */
function messageOf(error: Error): string {
  return error instanceof SyntaxError ? 'it cannot be read' : error.message.replaceAll(TOKEN, '…')
}
