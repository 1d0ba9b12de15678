// Measures publishing three changed files of 1,000 by the command line, against `git add`, `commit` and `push` of the same changes to another
// site of the same service.

import { execFile } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { changeThree, writeBuiltSite } from '../deploys/built-site.js'
import type { Row } from '../ground/row.js'
import { median, palimpsest, type RunningService, runService, timed } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'

const FILES = 1_000
const ROUNDS = 9
/** The package of authors: what CI and an author's machine run. */
const AUTHORS_PROGRAM = fileURLToPath(new URL('../../cli-package/palimpsest.js', import.meta.url))
const run = promisify(execFile)

export async function benchChangedFiles(): Promise<Row[]> {
  return await withFolder(async (folder) => {
    const service = await runService()
    try {
      return await compare(service, folder)
    } finally {
      await service.stop()
    }
  })
}

async function compare(service: RunningService, folder: string): Promise<Row[]> {
  const site = join(folder, 'site')
  mkdirSync(site)
  writeBuiltSite(site, 'changed', FILES)
  await palimpsest(service.dataDir, 'sites', 'create', 'by-git')
  const git = await cloneWith(service, site, join(folder, 'clone'))
  const author = async (...args: string[]) => await run(process.execPath, [AUTHORS_PROGRAM, ...args], authorOf(service))
  await author('publish', site)
  const times = { git: [] as number[], unchanged: [] as number[], changed: [] as number[], version: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const changed of [site, join(folder, 'clone')]) changeThree(changed, `round ${round}`)
    times.git.push(
      await timed(async () => {
        await git('add', '--all')
        await git('commit', '--quiet', '--message', `Round ${round}`)
        await git('push', '--quiet', 'origin', 'main')
      }),
    )
    times.changed.push(await timed(() => author('publish', site)))
    times.unchanged.push(await timed(() => author('publish', site)))
    times.version.push(await timed(() => author('--version')))
  }
  const against = (what: string, ours: readonly number[], target?: string): Row => ({
    what: `${what}, against \`git add\`, \`commit\` and \`push\` of three changed files of ${FILES}`,
    ...(target !== undefined && { target }),
    ours: `${median(ours).toFixed(0)} ms`,
    peer: `${median(times.git).toFixed(0)} ms`,
    ratio: median(ours) / median(times.git),
  })
  return [
    against('publish the same', times.changed, 'at most 1 ×'),
    against('publish again, unchanged', times.unchanged),
    against('`palimpsest --version`, the start alone', times.version),
  ]
}

/** Clones the site and pushes all files once. Returns how to run git in the clone. */
async function cloneWith(service: RunningService, site: string, clone: string) {
  const url = `http://127.0.0.1:${service.port}/git/by-git.git`
  const settings = [
    '-c',
    `http.extraHeader=Authorization: Bearer ${service.key}`,
    '-c',
    'user.name=Bench',
    '-c',
    'user.email=bench@localhost',
  ]
  await run('git', [...settings, 'clone', '--quiet', url, clone])
  const git = async (...args: string[]) => await run('git', ['-C', clone, ...settings, ...args])
  cpSync(site, clone, { recursive: true })
  await git('add', '--all')
  await git('commit', '--quiet', '--message', 'All')
  await git('push', '--quiet', 'origin', 'HEAD:main')
  // The service may have added a commit of its own.
  await git('pull', '--quiet', '--rebase', 'origin', 'main')
  return git
}

function authorOf({ port, key, dataDir }: RunningService) {
  const env = {
    PATH: process.env['PATH'],
    HOME: dataDir,
    PALIMPSEST_URL: `http://127.0.0.1:${port}`,
    PALIMPSEST_TOKEN: key,
  }
  return { env, maxBuffer: 1 << 28 }
}
