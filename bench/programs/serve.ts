// Measures hosted pages: the service and its peers by turns on one core, loaded from another one for the same bytes.

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import {
  type Ask,
  compareRates,
  compareTails,
  type Fields,
  inTurn,
  isInstalled,
  loadFields,
  loadWith,
  SERVER_CORE,
} from '../ground/load.js'
import { PEERS } from '../ground/peers.js'
import type { Row } from '../ground/row.js'
import { runService } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'

const PAGES = { '/small': 4096, '/large': 200_000 }
const CODED = { 'Accept-Encoding': 'gzip, br' }

const BARE = 'bare node:http'
/** Minimum rate relative to the peer's. */
const TARGETS: Readonly<Record<string, string>> = { [BARE]: '0.9 ×', sirv: '2.5 ×', Caddy: '1.5 ×' }
const NGINX_COMPRESSING = '0.6 ×'
const TAIL = 'at most 3 ×'

const HOT: Ask = { what: '4 KB', path: '/small' }
const ASKS: readonly Ask[] = [
  HOT,
  { what: '4 KB, gzip or br', path: '/small', headers: CODED },
  { what: '200 KB', path: '/large' },
  { what: '200 KB, gzip or br', path: '/large', headers: CODED },
]

export async function benchServe(): Promise<Row[]> {
  if (!(await isInstalled('wrk'))) {
    console.error('wrk is missing (apt-get install wrk): skipped')
    return []
  }
  return await withFolder(async (folder) => {
    const service = await runService({ under: ['taskset', '-c', SERVER_CORE] })
    try {
      for (const [path, size] of Object.entries(PAGES)) {
        const page = pageOf(size)
        await service.put(path, page)
        writePage(join(folder, `${path}.html`), page)
      }
      const rows: Row[] = []
      for (const ask of ASKS) rows.push(...(await compare(service.port, ask, folder)))
      return [...rows, ...(await compareFields(service.port))]
    } finally {
      await service.stop()
    }
  })
}

/** Compares with each peer. Node servers send the service's answer byte for byte; the others serve the same files. */
async function compare(port: number, ask: Ask, folder: string): Promise<Row[]> {
  const { body, headers } = await visit(port, ask)
  writeFileSync(join(folder, 'answer.body'), body)
  writeFileSync(join(folder, 'answer.json'), JSON.stringify(headers))
  const rows: Row[] = []
  for (const [name, start] of Object.entries(PEERS)) {
    const peer = await start(folder)
    if (peer === undefined) {
      console.error(`${name} is missing: skipped`)
      continue
    }
    try {
      const [ours, theirs] = await inTurn(
        () => loadWith(port, ask),
        () => loadWith(peer.port, ask),
      )
      const target = name === 'nginx' && ask.headers === CODED ? NGINX_COMPRESSING : TARGETS[name]
      rows.push(compareRates(`${ask.what}, against ${name}`, ours, theirs, target))
      if (name === BARE && ask === HOT)
        rows.push(compareTails(`p99 of 64 connections that ask for ${ask.what}, against ${BARE}`, ours, theirs, TAIL))
    } finally {
      await peer.stop()
    }
  }
  return rows
}

/** Compares our own answers without a body with our hot page. */
async function compareFields(port: number): Promise<Row[]> {
  const { headers } = await visit(port, HOT)
  const conditional: Ask = { ...HOT, headers: { 'If-None-Match': headers['etag'] ?? '' } }
  const [unmodified, hot] = await inTurn(
    () => loadWith(port, conditional),
    () => loadWith(port, HOT),
  )
  const [asHead, asGet] = await inTurn(
    () => loadFields(port, 'HEAD', HOT),
    () => loadFields(port, 'GET', conditional),
  )
  return [
    compareRates('304, against our own hot page of 4 KB', unmodified, hot, '0.95 ×'),
    compareRates('HEAD of the hot page, against our own 304, by the same client', asHead, asGet, '0.95 ×'),
  ]
}

/** Returns the service's answer, without the fields that every Node server adds itself. */
async function visit(port: number, { path, headers }: Ask): Promise<{ body: Buffer; headers: Fields }> {
  const fields = { host: `demo.localhost:${port}`, ...headers }
  const sent = request({ host: '127.0.0.1', port, path, headers: fields, agent: false }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const kept = Object.entries(response.headers).filter(([name]) => !/^(?:connection|keep-alive|date)$/.test(name))
  return { body: await buffer(response), headers: Object.fromEntries(kept) as Fields }
}

/** Writes a page and its compressed forms, for servers that use those. */
function writePage(file: string, page: string): void {
  writeFileSync(file, page)
  writeFileSync(`${file}.gz`, gzipSync(page))
  writeFileSync(`${file}.br`, brotliCompressSync(page))
}

/** Returns HTML of `size` bytes that compresses like prose. */
function pageOf(size: number): string {
  let text = '<!doctype html>\n'
  for (let line = 1; text.length < size; line++)
    text += `<p>Line ${line} of ${(line * 2_654_435_761) % 4_294_967_296}.</p>\n`
  return text.slice(0, size)
}
