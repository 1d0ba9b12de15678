// What a rollback undoes, as its commit's message tells it.

import type { Undone } from '../../store/protocol/write.js'

/** The versions since `number`. `newest` are the last MAX_NAMED_VERSIONS of all, newest first; versions are numbered without gaps. */
export function undoneAfter(number: number, newest: readonly { number: number; commit: string }[]): Undone {
  const later = newest.filter((version) => version.number > number)
  return { newest: later.map(({ commit }) => commit), count: (later[0]?.number ?? number) - number }
}
