// Tells a run as it is answered: who made it, what it is called, and how much it changed.

import type { RunData } from '../../../schemas/agents.js'
import { isUsable } from '../../catalog/api-key.js'
import { toTimestamp } from '../../model/clock.js'
import { CLIENT_TRAILER, MAKER_TRAILERS, USER_TRAILER } from '../../model/commits/maker.js'
import type { LoggedCommit } from '../../repository/reading/commit-reader.js'
import type { Call, Finding } from '../context/call.js'
import { isContent, toFileChange } from '../context/file-changes.js'
import type { Run } from './walk-runs.js'

/** The changes of more commits are not counted. */
const MAX_COUNTED = 100

export async function toRunData(call: Call<Finding | 'clock'>, run: Run): Promise<RunData> {
  const { site, commits } = run
  const read = commits.map((oid) => call.store.commits.read(site, oid))
  const [newest] = read
  if (newest === undefined) throw new Error('a run has a commit')
  return {
    site: { id: site.id, slug: site.slug, name: site.name },
    maker: makerOf(call, run.maker, newest),
    person: personIn(call, newest),
    startedAt: toTimestamp(run.startedAt),
    endedAt: toTimestamp(run.endedAt),
    commitCount: run.commitCount,
    commits: read.map(({ oid, subject, commit }) => {
      return { id: oid, subject, createdAt: toTimestamp(commit.committer.time) }
    }),
    files: run.commitCount > MAX_COUNTED ? null : await countFiles(call, run),
  }
}

/** Names the maker as it called itself in the newest commit. The service signed its trailers. */
function makerOf({ catalog, clock }: Call<Finding | 'clock'>, maker: string, newest: LoggedCommit): RunData['maker'] {
  const [trailer = '', ...rest] = maker.split(': ')
  const id = rest.join(': ')
  const author = newest.commit.author.name
  if (trailer === MAKER_TRAILERS.agent) {
    const ended = catalog.agents.findConnected(id) === undefined
    return { kind: 'agent', id, name: newest.trailers[CLIENT_TRAILER] ?? author, ended }
  }
  if (trailer !== MAKER_TRAILERS.key) return { kind: 'token', id, name: author, ended: false }
  const key = catalog.keys.findById(id)
  return { kind: 'key', id, name: key?.label ?? author, ended: key === undefined || !isUsable(key, clock()) }
}

/** Names the person of the signed trailers: as now called, or as then if the account is gone. */
function personIn({ catalog }: Call<Finding>, { commit, trailers }: LoggedCommit): RunData['person'] {
  const id = trailers[USER_TRAILER]
  if (id === undefined) return null
  return { id, name: catalog.users.find(id)?.name ?? commit.author.name }
}

async function countFiles({ store }: Call<Finding>, { site, commits }: Run): Promise<RunData['files']> {
  const files = { added: 0, modified: 0, removed: 0 }
  for (const oid of commits) {
    const changes = await store.commits.changes(site, oid)
    for (const { change } of changes.filter(isContent).map(toFileChange)) files[change] += 1
  }
  return files
}
