// Pushes refs to a remote (gitprotocol-pack, "Pushing Data To a Server").

import { formatRefChange, type RefChange } from '../objects/ref-change.js'
import { FLUSH_PKT, pktLine, PktLineReader, textOf } from '../wire/pkt-lines.js'
import { refusalIn } from '../wire/push-report.js'
import { AGENT, discover, type Discovered, nextLine, postPush } from './discover.js'
import { RemoteFailed } from './remote-failed.js'
import type { Remote } from './remote.js'
import { dataIn } from './side-band.js'

/** Limit for the remote's messages to people, besides its report. */
const MAX_SAID_CHARACTERS = 2000
const MAX_REPORT_LINES = 1000

/** Asks a remote for the refs and capabilities that it shows to a pushing client. Rejects with RemoteFailed. */
export async function findTarget(remote: Remote): Promise<Discovered> {
  const found = await discover(remote, 'git-receive-pack')
  if (found.capabilities.has('report-status')) return found
  throw new RemoteFailed('The remote does not support report-status, so the result of a push would be unknown.')
}

/**
 * Pushes the changes; `before` is what the remote shows. Resolves once the remote has ended its answer: with undefined if it reports that it took all changes, else with its
 * reason. `pack` has the objects that the changes need; deletions alone do not read it. Rejects with RemoteFailed and errors of the pack.
 */
export async function sendPack(
  remote: Remote,
  { capabilities }: Pick<Discovered, 'capabilities'>,
  changes: readonly RefChange[],
  pack: AsyncIterable<Buffer>,
): Promise<string | undefined> {
  const kept = changes.find(({ after }) => after === null)
  if (kept !== undefined && !capabilities.has('delete-refs'))
    return `The remote does not support deleting refs, so ${kept.ref} cannot be removed.`
  const isBanded = capabilities.has('side-band-64k')
  const answer = await postPush(remote, requestOf(changes, isBanded, pack))
  const lines = new PktLineReader(answer as AsyncIterable<Buffer>)
  let said = ''
  const onMessage = (text: string) => {
    said = `${said}${text}`.slice(0, MAX_SAID_CHARACTERS)
  }
  const report = await readReport(remote, isBanded ? new PktLineReader(dataIn(remote, lines, onMessage)) : lines)
  const refusal = refusalIn(report)
  if (refusal === undefined) return undefined
  return `The remote refuses the push: ${remote.words(said === '' ? refusal : `${refusal}. ${said}`)}`
}

async function* requestOf(
  changes: readonly RefChange[],
  isBanded: boolean,
  pack: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void> {
  const wishes = ['report-status', ...(isBanded ? ['side-band-64k'] : []), AGENT].join(' ')
  const lines = changes.map(formatRefChange)
  yield Buffer.concat([...lines.map((line, at) => pktLine(at === 0 ? `${line}\0 ${wishes}` : line)), FLUSH_PKT])
  if (changes.some(({ after }) => after !== null)) yield* pack
}

/** Reads to the end of the answer: the remote's hooks may still run after the report. */
async function readReport(remote: Remote, lines: PktLineReader): Promise<string[]> {
  const texts: string[] = []
  for (;;) {
    const line = await nextLine(remote, lines)
    if (line === undefined) return texts
    if (Buffer.isBuffer(line) && texts.length < MAX_REPORT_LINES) texts.push(textOf(line))
  }
}
