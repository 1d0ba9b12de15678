// Measures uploading a file of 64 MiB against writing it to the disk, and reading ranges of it.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import type { Row } from '../ground/row.js'
import { median, type RunningService, timed } from '../ground/running-service.js'

const ROUNDS = 5
const FILE_BYTES = 64 * 1024 * 1024
const RANGE_BYTES = 64 * 1024
const RANGES = 60
const run = promisify(execFile)

export async function benchLargeFile(service: RunningService, folder: string): Promise<Row[]> {
  const file = join(folder, 'large.bin')
  const copy = join(folder, 'copy.bin')
  const uploads: number[] = []
  const copies: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    writeFileSync(file, randomBytes(FILE_BYTES))
    copies.push(await timed(() => run('sh', ['-c', 'cat "$1" > "$2"; sync "$2"', 'sh', file, copy])))
    uploads.push(await timed(() => upload(service, file)))
    rmSync(copy)
  }
  const ends = { start: 0, end: FILE_BYTES - RANGE_BYTES }
  const ranges: Record<keyof typeof ends, number[]> = { start: [], end: [] }
  for (let asked = 0; asked < RANGES; asked++)
    for (const end of ['start', 'end'] as const) ranges[end].push(await timed(() => askRange(service, ends[end])))
  return [
    row('upload of a file of 64 MiB, against `cat` into a file and `sync` of it', 'at most 4 ×', uploads, copies),
    row('a range of 64 KiB at its end, against one at its start', 'at most 2 ×', ranges.end, ranges.start),
  ]
}

function row(what: string, target: string, ours: readonly number[], peer: readonly number[]): Row {
  const say = (times: readonly number[]) => `${median(times).toFixed(1)} ms`
  return { what, target, ours: say(ours), peer: say(peer), ratio: median(ours) / median(peer) }
}

async function upload({ port, key }: RunningService, file: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-length': FILE_BYTES }
  const path = '/api/v1/files?path=/large.bin'
  // A reused connection may be closed at just that moment.
  const sent = request({ host: '127.0.0.1', port, method: 'PUT', path, headers, agent: false })
  const answered = once(sent, 'response') as Promise<[{ statusCode?: number; resume(): void }]>
  await pipeline(createReadStream(file), sent)
  const [answer] = await answered
  answer.resume()
  if (answer.statusCode !== 200 && answer.statusCode !== 201) throw new Error(`the upload: ${answer.statusCode}`)
}

async function askRange({ port }: RunningService, start: number): Promise<void> {
  const headers = { host: `demo.localhost:${port}`, range: `bytes=${start}-${start + RANGE_BYTES - 1}` }
  const asked = request({ host: '127.0.0.1', port, path: '/large.bin', headers }).end()
  const [answer] = (await once(asked, 'response')) as [AsyncIterable<Buffer> & { statusCode?: number }]
  let bytes = 0
  for await (const chunk of answer) bytes += chunk.length
  if (answer.statusCode !== 206 || bytes !== RANGE_BYTES)
    throw new Error(`a range: ${answer.statusCode}, ${bytes} bytes`)
}
