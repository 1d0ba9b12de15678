// Starts `palimpsest dev` as a process of its own.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { MAIN } from '../../scenarios/commands.js'

export interface RunningDev {
  /** Without a slash at the end. */
  origin: string
  /** Returns the text on its standard error until now. */
  said(): string
  end(signal: NodeJS.Signals): Promise<{ code: number | null }>
}

/** Resolves once it has printed its address. */
export async function runDev(folder: string): Promise<RunningDev> {
  const child = spawn(process.execPath, [MAIN, 'dev', folder, '--port', '0'], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = once(child, 'close')
  const [address] = (await Promise.race([once(child.stdout, 'data'), ended])) as [Buffer | number]
  if (!Buffer.isBuffer(address)) throw new Error(`dev ended: ${said}`)
  return {
    origin: address.toString().trim().replace(/\/$/, ''),
    said: () => said,
    async end(signal) {
      child.kill(signal)
      const [code] = (await ended) as [number | null]
      return { code }
    },
  }
}
