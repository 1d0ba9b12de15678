// Reads a remote's answer that is split into bands (gitprotocol-pack, "side-band-64k"): data, messages for people, and a final error.

import { type PktLineReader, textOf } from '../wire/pkt-lines.js'
import { nextLine } from './discover.js'
import { RemoteFailed } from './remote-failed.js'
import type { Remote } from './remote.js'

const DATA_BAND = 1
const MESSAGE_BAND = 2
const ERROR_BAND = 3

/**
 * Yields the data up to the end of the answer; `onMessage` gets the remote's messages for people. Reading rejects with RemoteFailed if the
 * remote reports an error (in its words), and if the answer ends before it is complete.
 */
export async function* dataIn(
  remote: Remote,
  lines: PktLineReader,
  onMessage: (text: string) => void = () => undefined,
): AsyncGenerator<Buffer, void> {
  for (;;) {
    const line = await nextLine(remote, lines)
    if (line === 'flush') return
    if (line === undefined) throw new RemoteFailed('The remote ended the transfer before it was complete.')
    if (!Buffer.isBuffer(line)) continue
    const band = line[0]
    const payload = line.subarray(1)
    if (band === ERROR_BAND) throw new RemoteFailed(remote.words(textOf(payload)))
    if (band === MESSAGE_BAND) onMessage(payload.toString())
    else if (band === DATA_BAND && payload.length > 0) yield payload
  }
}
