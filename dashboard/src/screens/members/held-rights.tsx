// The keys and agents of a member, as the dialogs that change or remove the member list them.

import { api, dataOf, type Member, type OneMember } from '../../api/client.js'
import { type Loaded, useLoaded } from '../../api/use-loaded.js'
import { wordScopes } from '../../parts/rights/scopes.js'

export type Held = OneMember['keys'][number]

/** Loads a member with the keys and agents that depend on the person. */
export function useOneMember({ id }: Member): Loaded<OneMember> {
  return useLoaded<OneMember>(`member ${id}`, async (signal) =>
    dataOf(await api.GET('/members/{id}', { params: { path: { id } }, signal })),
  )
}

export function HeldList({ label, keys, agents }: { label: string; keys: readonly Held[]; agents: readonly Held[] }) {
  return (
    <ul aria-label={label}>
      {keys.map(({ id, name, scopes }) => (
        <li key={id}>
          Key {name}: {wordScopes(scopes)}
        </li>
      ))}
      {agents.map(({ id, name, scopes }) => (
        <li key={id}>
          Agent {name}: {wordScopes(scopes)}
        </li>
      ))}
    </ul>
  )
}
