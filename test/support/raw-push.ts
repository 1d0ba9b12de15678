// Pushes whose bytes no client of git would send: commands and packs made by hand.

import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { deflateSync } from 'node:zlib'
import { pktLine } from '../../src/git/wire/pkt-lines.js'
import { entryHeader, packHeader } from '../../src/git/storage/pack-writer.js'

const ZERO = '0'.repeat(40)

/** A service, and a key of it. */
export interface PushTarget {
  origin: string
  key: string
  /** `demo` unless given. */
  slug?: string
}

export interface RawCommand {
  ref: string
  before?: string
  after?: string
}

/** Commands up to the pack, with the capabilities of a new git. */
export function commandLines(commands: readonly RawCommand[]): Buffer {
  const lines = commands.map(({ ref, before = ZERO, after = ZERO }, index) =>
    pktLine(`${before} ${after} ${ref}${index === 0 ? '\0report-status side-band-64k' : ''}\n`),
  )
  return Buffer.concat([...lines, Buffer.from('0000')])
}

/** One entry of a pack, as it is stored. */
export function packEntry(type: 'blob' | 'tree' | 'commit', content: Buffer): Buffer {
  return Buffer.concat([entryHeader(type, content.length), deflateSync(content, { level: 1 })])
}

/** A delta against the object `base`, by its id (gitformat-pack, OBJ_REF_DELTA). */
export function deltaEntry(base: string, delta: Buffer): Buffer {
  const header = entryHeader('blob', delta.length)
  header[0] = ((header[0] ?? 0) & 0x8f) | (7 << 4)
  return Buffer.concat([header, Buffer.from(base, 'hex'), deflateSync(delta)])
}

export function packOf(entries: readonly Buffer[]): Buffer {
  const body = Buffer.concat([packHeader(entries.length), ...entries])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

/** Sends it, and answers with the status and the bytes, also as a text for people, framing included. */
export function sendPush(
  target: PushTarget,
  body: Buffer | AsyncIterable<Buffer>,
  signal?: AbortSignal,
): Promise<{ status: number; text: string; bytes: Buffer; retryAfter: string | undefined }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${target.origin}/git/${target.slug ?? 'demo'}.git/git-receive-pack`,
      {
        method: 'POST',
        // The connection of a push that was refused before its end takes no further request.
        agent: false,
        headers: { Authorization: `Bearer ${target.key}`, 'Content-Type': 'application/x-git-receive-pack-request' },
        ...(signal && { signal }),
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const retryAfter = answer.headers['retry-after']
          resolve({ status: answer.statusCode ?? 0, text: bytes.toString(), bytes, retryAfter })
        })
        answer.on('error', reject)
      },
    )
    sent.on('error', reject)
    const source = Buffer.isBuffer(body) ? Readable.from([body]) : Readable.from(body)
    source.on('error', reject)
    source.pipe(sent)
  })
}
