// `npm run test:system -- sites [-- name …]`: publishes sites that real generators built, and large ones that Debian has, by the command line, and looks
// at them as visitors do. Exit code 1 where anything does not answer or travels twice, 2 for an unknown name.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { printTable } from '../../src/cli/terminal/table.js'
import { makeKey, serve, type ServeProcess } from '../scenarios/serve-process.js'
import { openBrowser } from '../support/browser.js'
import { DEBIAN_DOCS } from './debian-docs.js'
import { GENERATED } from './generators.js'
import type { SiteSource } from './program.js'
import { publishSite, ROW } from './publish-site.js'

const SITES: readonly SiteSource[] = [...GENERATED, ...DEBIAN_DOCS]
const MAX_SHOWN = 10

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !SITES.some((site) => site.name === name))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${SITES.map(({ name }) => name).join(', ')}.`)
  process.exitCode = 2
} else await publishAll(SITES.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))

async function publishAll(sites: readonly SiteSource[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-sites-'))
  const dataDir = join(folder, 'data')
  const service = await serve({ dataDir })
  const browser = await openBrowser()
  try {
    const key = await makeKey(dataDir, 'admin')
    const rows: string[][] = []
    for (const site of sites) rows.push(...(await publishOne(site, { service, key, browser, folder })))
    if (!process.stdout.isTTY) console.log(ROW.join('\t'))
    printTable(ROW, rows)
  } finally {
    await browser?.close()
    service.signal('SIGTERM')
    await service.ended
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Shared {
  service: ServeProcess
  key: string
  browser: Browser | undefined
  folder: string
}

/** Its row; none where it cannot be had here, or fails as a whole. */
async function publishOne({ name, build }: SiteSource, shared: Shared): Promise<string[][]> {
  const folder = join(shared.folder, name)
  mkdirSync(folder)
  const faults: string[] = []
  try {
    console.log(`${name}: is built`)
    const built = await build(folder)
    if (typeof built === 'string') {
      console.log(`${name}: skipped, ${built}`)
      return []
    }
    console.log(`${name}: is published`)
    return [await publishSite({ ...shared, folder }, name, built, (fault) => faults.push(fault))]
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error))
    return []
  } finally {
    for (const fault of faults.slice(0, MAX_SHOWN)) console.error(`failed: ${name}: ${fault}`)
    if (faults.length > MAX_SHOWN) console.error(`failed: ${name}: and ${faults.length - MAX_SHOWN} more`)
    if (faults.length > 0) process.exitCode = 1
    rmSync(folder, { recursive: true, force: true })
  }
}
