// Fetches one branch of a remote with its whole history, as a stream: the pack is never held in memory (gitprotocol-v2, "fetch";
// gitprotocol-pack, "Packfile Negotiation").

import type { Oid } from '../objects/oid.js'
import { FLUSH_PKT, pktLine, PktLineReader, textOf } from '../wire/pkt-lines.js'
import { AGENT, commandLines, discover, type Discovered, listRefs, nextLine, postFetch, shallow } from './discover.js'
import { RemoteFailed } from './remote-failed.js'
import type { Remote } from './remote.js'
import { dataIn } from './side-band.js'

/** Candidates for main: the first that exists is fetched. */
const BRANCHES = ['refs/heads/main', 'refs/heads/master', 'HEAD']

export interface RemoteBranch {
  oid: Oid
  discovered: Discovered
}

/** Finds the branch to fetch. Rejects with RemoteFailed. */
export async function findBranch(remote: Remote): Promise<RemoteBranch> {
  const discovered = await discover(remote, 'git-upload-pack')
  const refs = discovered.protocol === 2 ? await listRefs(remote, BRANCHES) : discovered.refs
  const name = BRANCHES.find((branch) => refs.has(branch))
  const oid = name && refs.get(name)
  if (oid === undefined) throw new RemoteFailed('The repository has no branch main or master.')
  return { oid, discovered }
}

/** Yields the pack of the branch in chunks. Reading rejects with RemoteFailed. */
export async function* fetchPack(remote: Remote, { oid, discovered }: RemoteBranch): AsyncGenerator<Buffer, void> {
  if (discovered.protocol === 2) {
    const args = ['ofs-delta\n', `want ${oid}\n`, 'done\n'].map((line) => pktLine(line))
    const answer = await postFetch(remote, 2, Buffer.concat([...commandLines('fetch'), ...args, FLUSH_PKT]))
    const lines = new PktLineReader(answer as AsyncIterable<Buffer>)
    await skipTo(remote, lines, 'packfile')
    yield* dataIn(remote, lines)
    return
  }
  if (!discovered.capabilities.has('side-band-64k'))
    throw new RemoteFailed('The remote speaks a git protocol that is too old.')
  const want = pktLine(`want ${oid} side-band-64k ofs-delta ${AGENT}\n`)
  const answer = await postFetch(remote, 0, Buffer.concat([want, FLUSH_PKT, pktLine('done\n')]))
  const lines = new PktLineReader(answer as AsyncIterable<Buffer>)
  await skipTo(remote, lines, 'NAK')
  yield* dataIn(remote, lines)
}

/** Skips lines up to the one before the pack. */
async function skipTo(remote: Remote, lines: PktLineReader, end: string): Promise<void> {
  for (;;) {
    const line = await nextLine(remote, lines)
    if (line === undefined) throw new RemoteFailed('The remote sends no pack.')
    if (!Buffer.isBuffer(line)) continue
    const text = textOf(line)
    if (text === end) return
    if (text.startsWith('shallow')) throw shallow()
  }
}
