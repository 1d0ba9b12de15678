// `palimpsest fsck`: what git and the service find wrong with each site's repository, and what to do about it.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import type { Site } from '../catalog/sites.js'
import { parseSiteFile, SITE_FILE } from '../store/site-format.js'
import type { Store } from '../store/store.js'
import { checkRules } from '../usecases/check-rules.js'
import { findSites, withOffline } from './offline.js'
import { startProgress } from './progress.js'

const run = promisify(execFile)

interface Finding {
  what: string
  /** What an operator does about it. */
  remedy: string
}

export function addFsck(program: Command): void {
  program
    .command('fsck')
    .description('check repositories; exit code 1 when anything is wrong')
    .argument('[sites...]', 'slugs or ids; all sites without one')
    .action(fsck)
}

async function fsck(names: string[]): Promise<void> {
  await withOffline(async ({ catalog, store }) => {
    const sites = await findSites(catalog, names)
    const progress = startProgress(`Checking ${sites.length} site(s)`, sites.length)
    let wrong = 0
    for (const site of sites) {
      const findings = [...readFindings(store, site), ...(await gitFindings(store, site))]
      progress.advance(`${site.slug}: ${findings.length === 0 ? 'sound' : `${findings.length} finding(s)`}`)
      for (const { what, remedy } of findings) console.log(`${site.slug}: ${what}\n  ${remedy}`)
      if (findings.length > 0) wrong++
    }
    progress.done(wrong === 0 ? 'All sites are sound' : `${wrong} of ${sites.length} site(s) need attention`)
    if (wrong > 0) process.exitCode = 1
  })
}

/** What our own reader meets, which decides whether the site is served. */
function readFindings(store: Store, site: Site): Finding[] {
  try {
    const snapshot = store.snapshot(site)
    const entry = snapshot.entry(SITE_FILE)
    const file = entry && parseSiteFile(snapshot.blob(entry.oid))
    const lines = [...checkRules(snapshot)].map(({ path, message }) => ({
      what: `${path}: ${message}`,
      remedy: 'The site is served without it. Mend the file and push it.',
    }))
    if (file?.id === site.id) return lines
    return [
      ...lines,
      {
        what: `${SITE_FILE} does not name this site`,
        remedy: `Commit {"format":1,"id":"${site.id}"} as ${SITE_FILE}: clones need it to keep the ids of pages.`,
      },
    ]
  } catch (error) {
    return [
      {
        what: `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        remedy: 'Put the repository back from a backup or a clone: fetch its main into this one, then reindex.',
      },
    ]
  }
}

async function gitFindings(store: Store, site: Site): Promise<Finding[]> {
  const gitdir = store.gitdir(site)
  const found: Finding[] = []
  try {
    await run('git', ['-C', gitdir, 'fsck', '--full', '--strict', '--no-dangling', '--no-progress'])
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    const words = `${stdout}${stderr}`.trim() || String(error)
    found.push({
      what: `git fsck: ${words}`,
      remedy: 'Fetch the missing objects from a clone: git fetch <clone> main.',
    })
  }
  try {
    const { stdout } = await run('git', ['-C', gitdir, 'for-each-ref', '--format=%(refname)', 'refs/palimpsest/lost'])
    for (const ref of stdout.split('\n').filter(Boolean)) {
      found.push({
        what: `main lost commits: the old tip is kept as ${ref}`,
        remedy: `Compare with "git log main..${ref}", put back what is missing, then: git update-ref -d ${ref}`,
      })
    }
  } catch {
    // A folder that is no repository is named by the other findings already.
  }
  return found
}
