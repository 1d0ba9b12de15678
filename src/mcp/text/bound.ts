// The bound of an answer: how many bytes of text an agent gets at once. A token is taken for 4 bytes of UTF-8.

const BYTES_PER_TOKEN = 4
const MIN_TOKENS = 500
const DEFAULT_TOKENS = 4_000
const MAX_TOKENS = 20_000

/** Said where no part can be asked for. */
export const RAISE_THE_BOUND = `maxTokens (at most ${MAX_TOKENS}) shows more.`

/** Bytes; a wish below or above what is allowed counts as the limit. */
export function boundOf(maxTokens: unknown): number {
  const tokens = typeof maxTokens === 'number' && !Number.isNaN(maxTokens) ? maxTokens : DEFAULT_TOKENS
  return Math.floor(Math.min(Math.max(tokens, MIN_TOKENS), MAX_TOKENS)) * BYTES_PER_TOKEN
}

/** What programs get beside the text is left out where it is longer. */
export const MAX_DATA_BYTES = MAX_TOKENS * BYTES_PER_TOKEN
