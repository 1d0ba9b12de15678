// The address of the running service, in a file of the data directory: a command beside it may have another environment, such as no PORT.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isServed } from '../catalog/sqlite/data-dir-lock.js'
import type { Address } from './config/address.js'

const FILE = 'serve.address.json'

/** Writes the file. Called by the process that holds the directory. */
export function noteAddress(dataDir: string, { baseUrl, siteDomain }: Address): void {
  writeFileSync(join(dataDir, FILE), JSON.stringify({ baseUrl, siteDomain }))
}

export function forgetAddress(dataDir: string): void {
  rmSync(join(dataDir, FILE), { force: true })
}

/** Returns the address; undefined if no service runs, whatever a killed one has left. */
export function runningAddressIn(dataDir: string): Address | undefined {
  try {
    const { baseUrl, siteDomain } = JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as Address
    return isServed(dataDir) ? { baseUrl, siteDomain } : undefined
  } catch {
    return undefined
  }
}
