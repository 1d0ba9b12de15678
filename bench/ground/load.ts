// Load on a server from a core of its own: wrk for GET, and connections that ask for nothing but fields for HEAD, on which
// wrk waits for a body.

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Row } from './row.js'

/** The one core of every server that is measured, and the other of who measures it. */
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
  /** How long the half, and 99 of 100, of the answers took at the most; milliseconds, NaN where it is not measured. */
  p50: number
  p99: number
}

/**
 * Two loads by turns, after one of each that is thrown away: code is compiled then, and both meet whatever else the machine
 * does. Of each the round with the median rate.
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

/** GET over 64 kept connections. Throws when an answer is an error. */
export async function loadWith(port: number, { path, headers = {} }: Ask): Promise<Load> {
  const fields = { Host: `demo.localhost:${port}`, ...headers }
  const options = Object.entries(fields).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  return runWrk(port, path, options)
}

/** The same for a file with a host and a path in each line, in turn and from the start again. */
export async function loadList(port: number, file: string): Promise<Load> {
  const script = `${file}.lua`
  writeFileSync(script, LIST_SCRIPT.replace('FILE', JSON.stringify(file)))
  return runWrk(port, '/', ['-s', script])
}

/** What wrk asks is put together before it begins, so that it has no more to do for a list than for one page. */
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

/** Milliseconds. */
function percentileIn(output: string, percentile: string): number {
  const [, value, unit = ''] = new RegExp(`${percentile}%\\s+([\\d.]+)(us|ms|s)`).exec(output) ?? []
  return Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN)
}

/** Requests whose answers have no body, over 64 kept connections. */
export async function loadFields(port: number, method: 'GET' | 'HEAD', { path, headers = {} }: Ask): Promise<Load> {
  const fields = Object.entries({ Host: `demo.localhost:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const request = `${[`${method} ${path} HTTP/1.1`, ...fields].join('\r\n')}\r\n\r\n`
  const args = [process.execPath, FIELD_LOAD, String(port), String(CONNECTIONS), String(SECONDS), request]
  const { stdout } = await run('taskset', ['-c', LOAD_CORE, ...args])
  return { perSecond: Number(stdout), p50: Number.NaN, p99: Number.NaN }
}

/** As a row has it. */
export function sayLoad({ perSecond, p50, p99 }: Load): string {
  const rate = `${perSecond.toFixed(0)} /s`
  return Number.isNaN(p99) ? rate : `${rate}, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
}

/** A row of the rates of two loads. */
export function compareRates(what: string, ours: Load, peer: Load, target?: string): Row {
  return {
    what,
    ...(target !== undefined && { target }),
    ours: sayLoad(ours),
    peer: sayLoad(peer),
    ratio: ours.perSecond / peer.perSecond,
  }
}

/** A row of how long 99 of 100 answers of two loads took at the most. */
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
