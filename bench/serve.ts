// What a hosted page costs: wrk, pinned to one core, against the service and its peers in turn, sending the same bytes.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import Koa from 'koa'
import type { Row } from './row.js'
import { runService } from './running-service.js'

const SECONDS = process.env['BENCH_QUICK'] === '1' ? 1 : 5
const CONNECTIONS = 64
const WRK_CORE = '1'
const PAGES = { '/small': 4096, '/large': 200_000 }
const CODED = { 'Accept-Encoding': 'gzip, br' }

const run = promisify(execFile)

type Fields = Record<string, string>

interface Load {
  perSecond: number
  p99: string
}

interface Ask {
  what: string
  path: keyof typeof PAGES
  headers?: Record<string, string>
}

const ASKS: readonly Ask[] = [
  { what: '4 KB', path: '/small' },
  { what: '4 KB, gzip or br', path: '/small', headers: CODED },
  { what: '200 KB', path: '/large' },
  { what: '200 KB, gzip or br', path: '/large', headers: CODED },
]

export async function benchServe(): Promise<Row[]> {
  if (!(await hasWrk())) {
    console.error('wrk is missing (apt-get install wrk): skipped')
    return []
  }
  const service = await runService()
  try {
    for (const [path, size] of Object.entries(PAGES)) await service.put(path, pageOf(size))
    const rows: Row[] = []
    for (const ask of ASKS) rows.push(...(await compare(service.port, ask)))
    rows.push(await compareUnmodified(service.port))
    return rows
  } finally {
    await service.stop()
  }
}

/** The peers send, byte for byte, what the service answered. */
async function compare(port: number, ask: Ask): Promise<Row[]> {
  const { body, headers } = await visit(port, ask)
  const ours = await load(port, ask)
  const rows: Row[] = []
  for (const [name, handler] of Object.entries(peersSending(body, headers))) {
    const peer = await loadPeer(handler, ask)
    rows.push(rowOf(`${ask.what}, against ${name}`, ours, peer))
  }
  return rows
}

/** A 304 against the hot page, both ours. */
async function compareUnmodified(port: number): Promise<Row> {
  const { headers } = await visit(port, { what: '', path: '/small' })
  const conditional: Ask = { what: '304', path: '/small', headers: { 'If-None-Match': headers['etag'] ?? '' } }
  const unmodified = await load(port, conditional)
  return rowOf('304, against our own hot page of 4 KB', unmodified, await load(port, { what: '', path: '/small' }))
}

/** What the service answers, without the fields that every server of node adds itself. */
async function visit(port: number, { path, headers }: Ask): Promise<{ body: Buffer; headers: Fields }> {
  const fields = { host: `demo.localhost:${port}`, ...headers }
  const sent = request({ host: '127.0.0.1', port, path, headers: fields, agent: false }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const kept = Object.entries(response.headers).filter(([name]) => !/^(?:connection|keep-alive|date)$/.test(name))
  return { body: await buffer(response), headers: Object.fromEntries(kept) as Fields }
}

function peersSending(body: Buffer, headers: Fields): Record<string, RequestListener> {
  const koa = new Koa()
  koa.use((context) => {
    context.set(headers)
    context.body = body
  })
  const bare: RequestListener = (_request, response) => response.writeHead(200, headers).end(body)
  const handle = koa.callback()
  return { 'bare node:http': bare, Koa: (asked, response) => void handle(asked, response) }
}

/** The peer runs in this process, which does nothing else meanwhile. */
async function loadPeer(handler: RequestListener, ask: Ask): Promise<Load> {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await load((server.address() as AddressInfo).port, ask)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function load(port: number, { path, headers = {} }: Ask): Promise<Load> {
  const fields = { Host: `demo.localhost:${port}`, ...headers }
  const options = Object.entries(fields).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const wrk = ['wrk', '-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '--latency', ...options]
  const { stdout } = await run('taskset', ['-c', WRK_CORE, ...wrk, `http://127.0.0.1:${port}${path}`])
  const [, perSecond = Number.NaN] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? []
  const [, p99 = '?'] = /99%\s+(\S+)/.exec(stdout) ?? []
  if (/Non-2xx/.test(stdout)) throw new Error(`Not what was asked for: ${stdout}`)
  return { perSecond: Number(perSecond), p99 }
}

function rowOf(what: string, ours: Load, peer: Load): Row {
  const say = ({ perSecond, p99 }: Load) => `${perSecond.toFixed(0)} /s, p99 ${p99}`
  return { what, ours: say(ours), peer: say(peer), ratio: ours.perSecond / peer.perSecond }
}

/** HTML of that many bytes which compresses as prose does. */
function pageOf(size: number): string {
  let text = '<!doctype html>\n'
  for (let line = 1; text.length < size; line++)
    text += `<p>Line ${line} of ${(line * 2_654_435_761) % 4_294_967_296}.</p>\n`
  return text.slice(0, size)
}

async function hasWrk(): Promise<boolean> {
  return run('which', ['wrk']).then(
    () => true,
    () => false,
  )
}
