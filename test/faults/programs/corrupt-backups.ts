// Damages one site in a backup and restores it: the sound sites must come back exactly, the damaged one exactly or by name.

import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { put, visit } from '../../scenarios/client.js'
import { commitFiles, runGit } from '../../scenarios/operators/operator.js'
import { endProcesses, makeKey, run, runPalimpsest, serve, type ServeProcess } from '../../scenarios/serve-process.js'
import { type Damage, DAMAGES } from '../ground/damage.js'
import type { FaultProgram, Report } from '../program.js'

const SOUND = 'demo'
const DAMAGED = 'damaged'
/** Large enough to be the largest pack's only content. */
const LARGE = 'a page of some length, so that its pack is the largest\n'.repeat(40)
const PAGES: Readonly<Record<string, string>> = { '/about': LARGE, '/contact': 'contact', '/by-hand': 'pushed' }

export const corruptBackups: FaultProgram = {
  name: 'corrupt-backups',
  about: 'one site of a backup is damaged; the restore must bring back the others and name that one',
  needs: [],
  run: (report) => restoreDamaged(DAMAGES, report),
}

export async function restoreDamaged(damages: readonly Damage[], report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-backups-'))
  try {
    const backup = join(folder, 'backup')
    const key = await makeBackup(folder, backup)
    report.acknowledge(Object.keys(PAGES).length * 2)
    for (const damage of damages) {
      report.begin(damage.name, damages.length)
      const bad = join(folder, 'bad')
      const dataDir = join(folder, 'restored')
      cpSync(backup, bad, { recursive: true })
      damage.harm(join(bad, 'sites', `${DAMAGED}.git`))
      await restoreAndJudge(damage.name, bad, dataDir, key, report).catch((error: unknown) =>
        report.violate(`${damage.name}: ${String(error)}`),
      )
      await endProcesses(bad, dataDir)
    }
  } finally {
    await endProcesses(folder)
  }
}

/** Two sites with the same pages, and their backup. Answers a key of the service. */
async function makeBackup(folder: string, backup: string): Promise<string> {
  const dataDir = join(folder, 'original')
  const server = await serve({ dataDir })
  const key = await makeKey(dataDir, 'admin')
  const api = server.api(key)
  const { body } = await api.post('/sites').send({ slug: DAMAGED }).expect(201)
  for (const [slug, id] of [[SOUND], [DAMAGED, (body as { data: { id: string } }).data.id]] as const) {
    await put(api, '/about', LARGE, id)
    await put(api, '/contact', 'contact', id)
    const clone = join(folder, slug)
    await runGit(folder, 'clone', '--quiet', '--no-local', join(dataDir, `${slug}.git`), clone)
    commitFiles(clone, 'By hand', { 'by-hand.html': 'pushed' })
    await runGit(clone, 'push', '--quiet')
  }
  const { code, stderr } = await runPalimpsest({ DATA_DIR: dataDir }, 'backup', backup)
  if (code !== 0) throw new Error(stderr)
  server.signal('SIGTERM')
  await server.ended
  await loosenHead(join(backup, 'sites', `${DAMAGED}.git`))
  return key
}

async function restoreAndJudge(
  name: string,
  backup: string,
  dataDir: string,
  key: string,
  report: Report,
): Promise<void> {
  const { code, stdout, stderr } = await runPalimpsest({ DATA_DIR: dataDir }, 'restore', backup, '--keep-keys')
  const words = stdout + stderr
  const isNamed = code === 1 && words.includes(DAMAGED)
  if (code !== 0 && !isNamed) return report.violate(`${name}: restore exits with ${code}: ${words}`)
  const server = await serve({ dataDir })
  const missing = await missingPages(server, SOUND)
  if (missing.length > 0) report.lose(`${name}: ${missing.join()} of the sound site`)
  const gone = await missingPages(server, DAMAGED)
  if (gone.length > 0 && !isNamed)
    report.lose(`${name}: ${gone.join()} of the damaged site, which nothing names: ${words}`)
  if (gone.length > 0 && gone.length < Object.keys(PAGES).length)
    report.violate(`${name}: the damaged site is restored in part`)
  if ((await server.api(key).get('/sites')).status !== 200) report.violate(`${name}: keys of the backup are refused`)
  if (isNamed) await useSlugAgain(name, server, key, report)
}

/** A site that could not be restored is still listed, or its slug can be used. */
async function useSlugAgain(name: string, server: ServeProcess, key: string, report: Report): Promise<void> {
  const api = server.api(key)
  const { body } = await api.get('/sites?limit=1000').expect(200)
  if ((body as { data: { slug: string }[] }).data.some(({ slug }) => slug === DAMAGED)) return
  const { status } = await api.post('/sites').send({ slug: DAMAGED })
  if (status !== 201) report.violate(`${name}: the slug of the damaged site is lost: ${status}`)
}

async function missingPages(server: ServeProcess, slug: string): Promise<string[]> {
  const missing: string[] = []
  for (const [path, html] of Object.entries(PAGES)) {
    const { status, bytes } = await visit(server.origin, `http://${slug}.localhost${path}`)
    if (status !== 200 || bytes.toString() !== html) missing.push(path)
  }
  return missing
}

/** Packs all commits but the last, whose objects become loose, as damages expect them. */
async function loosenHead(gitdir: string): Promise<void> {
  const commands = [
    'set -e; mkdir -p hooks out; mv objects/pack/pack-* out/',
    'for pack in out/*.pack; do git unpack-objects -q < "$pack"; done; rm -r out',
    'git rev-list --objects main~1 | git pack-objects -q objects/pack/pack > /dev/null; git prune-packed',
  ]
  const { code, stderr } = await run('bash', ['-c', commands.join('\n')], { cwd: gitdir })
  if (code !== 0) throw new Error(stderr)
}
