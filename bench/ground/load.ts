// Loads a server from a separate core: with wrk for GET, and with connections that read only header fields for HEAD, since
// wrk waits for a body.

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Row } from './row.js'

/** The core of every measured server. The load has the other one. */
export const SERVER_CORE = '0'
const LOAD_CORE = '1'
const SECONDS = process.env['BENCH_QUICK'] === '1' ? 1 : 2
const ROUNDS = process.env['BENCH_QUICK'] === '1' ? 1 : 3
const CONNECTIONS = 64
const FIELD_LOAD = fileURLToPath(new URL('./field-load.js', import.meta.url))

const run = promisify(execFile)

export type Fields = Record<string, string>

export interface Ask {
  what: string
  path: string
  headers?: Fields
}

export interface Load {
  perSecond: number
  /** Median and 99th percentile of the answer times: milliseconds, NaN if not measured. */
  p50: number
  p99: number
}

/**
 * Runs two loads by turns. The first round of each is discarded, since code is compiled then. By turns, both see the same other work of
 * the machine. Returns the round of each with the median rate.
 */
export async function inTurn(ours: () => Promise<Load>, peers: () => Promise<Load>): Promise<[Load, Load]> {
  await ours()
  await peers()
  const rounds: [Load, Load][] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push([await ours(), await peers()])
  return [middleOf(rounds.map(([load]) => load)), middleOf(rounds.map(([, load]) => load))]
}

function middleOf(loads: readonly Load[]): Load {
  const [middle] = loads.toSorted((a, b) => a.perSecond - b.perSecond).slice(Math.floor(loads.length / 2))
  if (middle === undefined) throw new Error('no load was measured')
  return middle
}

/** Loads by GET over 64 kept connections. Throws if an answer is an error. */
export async function loadWith(port: number, { path, headers = {} }: Ask): Promise<Load> {
  const fields = { Host: `demo.localhost:${port}`, ...headers }
  const options = Object.entries(fields).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  return runWrk(port, path, options)
}

/** Does the same for a file with a host and a path in each line, in a cycle. */
export async function loadList(port: number, file: string): Promise<Load> {
  const script = `${file}.lua`
  writeFileSync(script, LIST_SCRIPT.replace('FILE', JSON.stringify(file)))
  return runWrk(port, '/', ['-s', script])
}

/** Prepares wrk's requests before the start, so that a list costs wrk no more than one page. */
const LIST_SCRIPT = `local requests, at = {}, 0
for line in io.lines(FILE) do
  local host, path = line:match('(%S+) (%S+)')
  requests[#requests + 1] = 'GET ' .. path .. ' HTTP/1.1\\r\\nHost: ' .. host .. '\\r\\n\\r\\n'
end
request = function()
  at = at % #requests + 1
  return requests[at]
end
`

async function runWrk(port: number, path: string, options: readonly string[]): Promise<Load> {
  const wrk = ['wrk', '-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '--latency', ...options]
  const { stdout } = await run('taskset', ['-c', LOAD_CORE, ...wrk, `http://127.0.0.1:${port}${path}`])
  if (/Non-2xx/.test(stdout)) throw new Error(`Not what was asked for: ${stdout}`)
  const [, perSecond] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? []
  return { perSecond: Number(perSecond), p50: percentileIn(stdout, '50'), p99: percentileIn(stdout, '99') }
}

/** Returns milliseconds. */
function percentileIn(output: string, percentile: string): number {
  const [, value, unit = ''] = new RegExp(`${percentile}%\\s+([\\d.]+)(us|ms|s)`).exec(output) ?? []
  return Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN)
}

/** Loads by requests whose answers have no body, over 64 kept connections. */
export async function loadFields(port: number, method: 'GET' | 'HEAD', { path, headers = {} }: Ask): Promise<Load> {
  const fields = Object.entries({ Host: `demo.localhost:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const request = `${[`${method} ${path} HTTP/1.1`, ...fields].join('\r\n')}\r\n\r\n`
  const args = [process.execPath, FIELD_LOAD, String(port), String(CONNECTIONS), String(SECONDS), request]
  const { stdout } = await run('taskset', ['-c', LOAD_CORE, ...args])
  return { perSecond: Number(stdout), p50: Number.NaN, p99: Number.NaN }
}

/** Formats a load for a row. */
export function sayLoad({ perSecond, p50, p99 }: Load): string {
  const rate = `${perSecond.toFixed(0)} /s`
  return Number.isNaN(p99) ? rate : `${rate}, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
}

/** Returns a row with the rates of two loads. */
export function compareRates(what: string, ours: Load, peer: Load, target?: string): Row {
  return {
    what,
    ...(target !== undefined && { target }),
    ours: sayLoad(ours),
    peer: sayLoad(peer),
    ratio: ours.perSecond / peer.perSecond,
  }
}

/** Returns a row with the 99th percentiles of two loads. */
export function compareTails(what: string, ours: Load, peer: Load, target: string): Row {
  return {
    what,
    target,
    ours: `${ours.p99.toFixed(1)} ms`,
    peer: `${peer.p99.toFixed(1)} ms`,
    ratio: ours.p99 / peer.p99,
  }
}

export async function isInstalled(command: string): Promise<boolean> {
  return run('which', [command]).then(
    () => true,
    () => false,
  )
}
