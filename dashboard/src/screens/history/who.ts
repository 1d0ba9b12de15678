// Names who made a change: a person, an agent for a person, or a program with a key.

import type { Commit } from '../../api/client.js'

export interface Who {
  name: string
  kind: 'person' | 'agent' | 'key'
  /** The person for whom an agent acted. */
  person?: string
}

/** Works for commits and for versions of pages. */
export function whoMade({ author, agent, maker }: Pick<Commit, 'author' | 'agent' | 'maker'>): Who {
  if (agent !== undefined) return { name: agent.name ?? 'An agent', kind: 'agent', person: author }
  return { name: author, kind: maker === 'key' || maker === 'token' ? 'key' : 'person' }
}
