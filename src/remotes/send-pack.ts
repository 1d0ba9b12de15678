// Pushes one branch to a remote (gitprotocol-pack, "Pushing Data To a Server").

import type { Oid } from '../git/objects/oid.js'
import { FLUSH_PKT, pktLine, PktLineReader, textOf } from '../git/wire/pkt-lines.js'
import { refusalIn } from '../git/wire/read-report.js'
import { AGENT, discover, type Discovered, nextLine, postPush } from './discover.js'
import { RemoteFailed } from './remote-failed.js'
import type { Remote } from './remote.js'
import { dataIn } from './side-band.js'

const ZERO: Oid = '0'.repeat(40)
/** Of what the remote says to people beside its report, and of the report's lines. */
const MAX_SAID_CHARACTERS = 2000
const MAX_REPORT_LINES = 100

export interface BranchUpdate {
  ref: string
  /** What the remote shows; null where it has no such branch. */
  before: Oid | null
  after: Oid
}

/** What a remote shows to a client that pushes. Rejects with RemoteFailed. */
export async function findTarget(remote: Remote): Promise<Discovered> {
  const found = await discover(remote, 'git-receive-pack')
  if (found.capabilities.has('report-status')) return found
  throw new RemoteFailed('The remote does not report what becomes of a push.')
}

/**
 * Resolves once the remote has ended its answer, and reports in it that it took the push. Rejects with RemoteFailed, in the remote's
 * words, and as reading the pack does.
 */
export async function sendPack(
  remote: Remote,
  { capabilities }: Discovered,
  update: BranchUpdate,
  pack: AsyncIterable<Buffer>,
): Promise<void> {
  const isBanded = capabilities.has('side-band-64k')
  const answer = await postPush(remote, requestOf(update, isBanded, pack))
  const lines = new PktLineReader(answer as AsyncIterable<Buffer>)
  let said = ''
  const onMessage = (text: string) => {
    said = `${said}${text}`.slice(0, MAX_SAID_CHARACTERS)
  }
  const report = await readReport(remote, isBanded ? new PktLineReader(dataIn(remote, lines, onMessage)) : lines)
  const refusal = refusalIn(report)
  if (refusal === undefined) return
  throw new RemoteFailed(`The remote refuses the push: ${remote.words(said === '' ? refusal : `${refusal}. ${said}`)}`)
}

async function* requestOf(
  { ref, before, after }: BranchUpdate,
  isBanded: boolean,
  pack: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void> {
  const wishes = ['report-status', ...(isBanded ? ['side-band-64k'] : []), AGENT].join(' ')
  yield Buffer.concat([pktLine(`${before ?? ZERO} ${after} ${ref}\0 ${wishes}`), FLUSH_PKT])
  yield* pack
}

/** To the end of the answer: hooks of the remote may be at work after the report. */
async function readReport(remote: Remote, lines: PktLineReader): Promise<string[]> {
  const texts: string[] = []
  for (;;) {
    const line = await nextLine(remote, lines)
    if (line === undefined) return texts
    if (Buffer.isBuffer(line) && texts.length < MAX_REPORT_LINES) texts.push(textOf(line))
  }
}
