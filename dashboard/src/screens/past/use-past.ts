// The commits of a site around the place at which a person looks, by their numbers. The newest and the asked one come first; others when
// they are needed.

import { useRef, useState } from 'preact/hooks'
import { api, type Commit, dataOf, type Site } from '../../api/client.js'
import { type Loaded, useLoaded } from '../../api/use-loaded.js'

/** Commits that one request brings. */
const SLICE = 100

export interface Past {
  /** The number of the newest commit. */
  newest: number
  /** The number of the commit that was asked for. */
  asked: number
  commits: ReadonlyMap<number, Commit>
}

export interface UsedPast {
  past: Loaded<Past>
  /** Returns a commit, if need be with those around it. */
  find: (number: number) => Promise<Commit | undefined>
}

/** `asked` is the id of a commit, or its first digits. */
export function usePast(site: Site, asked: string | null): UsedPast {
  const first = useRef(asked)
  const found = useRef(new Map<number, Commit>())
  const [, setCount] = useState(0)
  const path = { id: site.id }
  const read = async (query: { upTo?: number }, signal?: AbortSignal) => {
    const params = { path, query: { ...query, limit: SLICE } }
    const commits = dataOf(await api.GET('/sites/{id}/commits', { params, ...(signal && { signal }) }))
    for (const commit of commits) found.current.set(commit.number, commit)
    setCount(found.current.size)
    return commits
  }
  const past = useLoaded<Past>(`past of ${site.id}`, async (signal) => {
    const oid = first.current
    // Later, a person is taken to the newest.
    first.current = null
    const params = oid === null ? undefined : { path: { ...path, oid } }
    const [[newest], one] = await Promise.all([
      read({}, signal),
      params && api.GET('/sites/{id}/commits/{oid}', { params, signal }).then(dataOf),
    ])
    if (one !== undefined) found.current.set(one.number, one)
    const last = newest?.number ?? 1
    return { newest: last, asked: one?.number ?? last, commits: found.current }
  })
  const find = async (number: number) => {
    if (!found.current.has(number)) await read({ upTo: number + SLICE / 2 })
    return found.current.get(number)
  }
  return { past, find }
}

/** Returns the number of the first commit of another day, before or after this one; the last commit in that direction if there is none. */
export async function otherDay(from: Commit, step: 1 | -1, newest: number, find: UsedPast['find']): Promise<number> {
  const dayOf = ({ createdAt }: Commit) => new Date(createdAt).toDateString()
  for (let number = from.number + step; number >= 1 && number <= newest; number += step) {
    // The commits that one request brought are at hand.
    // oxlint-disable-next-line no-await-in-loop
    const commit = await find(number)
    if (commit === undefined || dayOf(commit) !== dayOf(from)) return number
  }
  return step === 1 ? newest : 1
}
