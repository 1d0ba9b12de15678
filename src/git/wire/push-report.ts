// The answer to a push (gitprotocol-pack, "Report Status"), as a server writes it and as a client reads it. Its text is shown by git as
// `remote:` lines (side-band-64k).

import { FLUSH_PKT, pktLine } from './pkt-lines.js'

/** Capabilities of a server that receives pushes (gitprotocol-capabilities). */
export const PUSH_CAPABILITIES =
  'report-status report-status-v2 delete-refs side-band-64k quiet atomic ofs-delta push-options'

export interface PushReport {
  /** Null if the pack was taken, else the reason why not. */
  unpackError: string | null
  /** `refusal` is null for a ref that was moved. */
  refs: readonly { ref: string; refusal: string | null }[]
  /** Lines for the person who pushes. */
  lines: readonly string[]
}

const UNPACK = /^unpack (.*)$/
const REFUSED = /^ng (\S+) (.*)$/
const REPORT_BAND = 1
const MESSAGE_BAND = 2
/** Bytes in a pkt-line of 65,520 bytes, without its length and the number of its band. */
const MAX_BAND_BYTES = 65_515

/** Keeps proxies and clients waiting while a push is handled: a message of no bytes. */
export const KEEPALIVE_PKT = pktLine(Buffer.from([MESSAGE_BAND]))

export function encodePushReport(capabilities: ReadonlySet<string>, { unpackError, refs, lines }: PushReport): Buffer {
  const isWanted = capabilities.has('report-status') || capabilities.has('report-status-v2')
  const statuses = [
    `unpack ${oneLine(unpackError ?? 'ok')}\n`,
    ...refs.map(({ ref, refusal }) => (refusal === null ? `ok ${ref}\n` : `ng ${ref} ${oneLine(refusal)}\n`)),
  ]
  const report = isWanted ? Buffer.concat([...statuses.map((status) => pktLine(status)), FLUSH_PKT]) : Buffer.alloc(0)
  if (!capabilities.has('side-band-64k')) return report
  const text = Buffer.from(lines.map((line) => `${oneLine(line)}\n`).join(''))
  return Buffer.concat([...inBand(MESSAGE_BAND, text), ...inBand(REPORT_BAND, report), FLUSH_PKT])
}

function inBand(band: number, bytes: Buffer): Buffer[] {
  const packets: Buffer[] = []
  for (let at = 0; at < bytes.length; at += MAX_BAND_BYTES)
    packets.push(pktLine(Buffer.concat([Buffer.from([band]), bytes.subarray(at, at + MAX_BAND_BYTES)])))
  return packets
}

/** Removes control characters: pushed names may hold escape sequences, which must not reach a terminal. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}

/**
 * Returns why a push was refused, in the server's words, with the first refused ref; undefined if all of it was taken. `lines` are
 * those of the report.
 */
export function refusalIn(lines: readonly string[]): string | undefined {
  const [unpack] = lines.flatMap((line) => UNPACK.exec(line)?.[1] ?? [])
  if (unpack === undefined) return 'the answer to the push has no report'
  if (unpack !== 'ok') return unpack
  return lines
    .map((line) => REFUSED.exec(line))
    .find((match) => match !== null)
    ?.slice(1)
    .join(': ')
}
