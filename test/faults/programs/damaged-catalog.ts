// Loses or damages the catalog while the service is down: a start must refuse each time and say which file is the cause, and
// `palimpsest recover` must make a catalog from the repositories, with the same sites and ids.

import { closeSync, openSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { put } from '../../scenarios/client.js'
import { runPalimpsest, serve } from '../../scenarios/serve-process.js'
import { Ground } from '../ground/ground.js'
import type { FaultProgram, Report } from '../program.js'

interface CatalogDamage {
  name: string
  harm(path: string): void
}

const DAMAGES: readonly CatalogDamage[] = [
  { name: 'no catalog', harm: (path) => rmSync(path) },
  { name: 'an empty catalog', harm: (path) => truncateSync(path, 0) },
  { name: 'a catalog cut short', harm: (path) => truncateSync(path, Math.floor(statSync(path).size / 2)) },
  { name: 'garbage for a catalog', harm: (path) => writeFileSync(path, 'this is no database\n'.repeat(1000)) },
  { name: 'a catalog with a wrong header', harm: (path) => overwrite(path, 0, 'SQLite format 9') },
  { name: 'a catalog with garbage in the middle', harm: (path) => overwrite(path, 4096, '\xaa'.repeat(8192)) },
]

export const damagedCatalog: FaultProgram = {
  name: 'damaged-catalog',
  about: 'the catalog is lost, empty or damaged while the service is down; then it is recovered from the repositories',
  needs: [],
  run: (report) => damageCatalogs(DAMAGES, report),
}

async function damageCatalogs(damages: readonly CatalogDamage[], report: Report): Promise<void> {
  const original = await Ground.prepare()
  try {
    await put(original.api, '/about', 'about')
    report.acknowledge(2)
    const sites = await sitesOf(original)
    await original.stop()
    for (const damage of damages) {
      report.begin(damage.name, damages.length)
      const ground = await original.copy()
      try {
        await ground.stop()
        await damageAndRecover(ground, damage, sites, report)
      } catch (error) {
        report.violate(`${damage.name}: ${String(error)}`)
      } finally {
        await ground.destroy()
      }
    }
  } finally {
    await original.destroy()
  }
}

async function damageAndRecover(ground: Ground, damage: CatalogDamage, sites: string, report: Report): Promise<void> {
  const { name } = damage
  const { dataDir } = ground
  const catalog = join(dataDir, 'catalog.db')
  for (const file of [`${catalog}-wal`, `${catalog}-shm`]) rmSync(file, { force: true })
  damage.harm(catalog)
  for (const start of ['first', 'second']) {
    const words = await refusalOf(dataDir)
    if (words === undefined) return report.violate(`${name}: the ${start} start succeeds`)
    if (!words.includes('catalog.db') || !words.includes('recover'))
      report.violate(`${name}: the ${start} start does not say what to do: ${words}`)
  }
  const { code, stdout, stderr } = await runPalimpsest({ DATA_DIR: dataDir }, 'recover', '--workspace', 'Recovered')
  if (code !== 0) return report.violate(`${name}: recover exits with ${code}: ${stdout}${stderr}`)
  await ground.start()
  await ground.takeNewKey()
  const found = await sitesOf(ground)
  if (found !== sites) report.lose(`${name}: the sites are ${found} instead of ${sites}`)
  const seen = await ground.visit('/about')
  if (seen !== 'about') report.lose(`${name}: /about shows ${seen}`)
  await put(ground.api, '/after', 'after')
}

/** The words with which the service refuses to start; undefined if it starts. */
async function refusalOf(dataDir: string): Promise<string | undefined> {
  return await serve({ dataDir }).then(
    async (server) => {
      server.signal('SIGTERM')
      await server.ended
      return undefined
    },
    (error: unknown) => String(error),
  )
}

/** `demo <id>, untouched <id>` */
async function sitesOf(ground: Ground): Promise<string> {
  const { body } = await ground.api.get('/sites?limit=1000').expect(200)
  const sites = (body as { data: { id: string; slug: string }[] }).data
  return sites
    .map(({ id, slug }) => `${slug} ${id}`)
    .toSorted()
    .join(', ')
}

function overwrite(path: string, at: number, text: string): void {
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.from(text, 'latin1'), 0, text.length, at)
  closeSync(file)
}
