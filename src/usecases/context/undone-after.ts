// The versions that a rollback undoes, for its commit's message.

import type { Undone } from '../../repository/protocol/write.js'

/**
 * Returns the versions since `number`. `newest` holds the last MAX_NAMED_VERSIONS of all, newest first; versions are numbered without gaps.
 */
export function undoneAfter(number: number, newest: readonly { number: number; commit: string }[]): Undone {
  const later = newest.filter((version) => version.number > number)
  return { newest: later.map(({ commit }) => commit), count: (later[0]?.number ?? number) - number }
}
