// The bound of an answer: the bytes of text that an agent gets at once. A token counts as 4 bytes of UTF-8.

const BYTES_PER_TOKEN = 4
const MIN_TOKENS = 500
const DEFAULT_TOKENS = 4_000
const MAX_TOKENS = 20_000

/** The hint for answers whose parts cannot be asked for. */
export const RAISE_THE_BOUND = `maxTokens (at most ${MAX_TOKENS}) shows more.`

/** Returns the bound in bytes; a wish below or above the allowed range counts as the limit. */
export function boundOf(maxTokens: unknown): number {
  const tokens = typeof maxTokens === 'number' && !Number.isNaN(maxTokens) ? maxTokens : DEFAULT_TOKENS
  return Math.floor(Math.min(Math.max(tokens, MIN_TOKENS), MAX_TOKENS)) * BYTES_PER_TOKEN
}

/** Most bytes of the data that programs get in addition to the text; longer data is left out. */
export const MAX_DATA_BYTES = MAX_TOKENS * BYTES_PER_TOKEN
