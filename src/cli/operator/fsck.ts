// `palimpsest fsck`: reports the faults that git and the service find in each site's repository, and the remedies.

import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from 'commander'
import { OPEN_REQUESTS } from '../../admission/quotas.js'
import type { Catalog } from '../../catalog/catalog.js'
import { OPEN_STATES } from '../../catalog/requests/change-requests.js'
import type { Site } from '../../catalog/site.js'
import { GitFailed } from '../../git/command.js'
import { FormCheck } from '../../repository/disk/checks/form-check.js'
import { gitFsck, gitFsckOfBorrower } from '../../repository/disk/checks/git-fsck.js'
import { inspectDrafts, inspectRepository } from '../../repository/disk/checks/inspect-repository.js'
import { withLinkedCopy } from '../../repository/disk/checks/linked-copy.js'
import { branchesOf } from '../../repository/protocol/request-branches.js'
import { parseSiteFile, SITE_FILE } from '../../repository/format/site-format.js'
import { draftsOf } from '../../repository/protocol/site-place.js'
import type { Store } from '../../repository/store.js'
import { foundAgain, REMEDIES, REMEDY, SECOND_INSPECTION_MS } from '../../repository/protocol/trouble.js'
import { checkRules } from '../../tasks/analysis/check-rules.js'
import { findSites, withOffline } from './offline.js'
import { printable } from '../terminal/printable.js'
import { type Progress, startProgress } from '../terminal/progress.js'
import { readTwice } from './read-twice.js'

/** A damaged pack makes git name every object in it. */
const MAX_LINES = 20
const SECOND_READER_REMEDY = 'Check again; then docs/repair.md, "Two readers".'

interface Finding {
  what: string
  /** The remedy for an operator. */
  remedy: string
}

export function addFsck(program: Command): void {
  program
    .command('fsck')
    .summary('check repositories')
    .description('check repositories; exit code 1 when anything is wrong')
    .argument('[sites...]', 'slugs or ids; all sites without one')
    .option('--second-reader', 'read main by isomorphic-git too, and report what it finds otherwise')
    .action(fsck)
}

async function fsck(names: string[], { secondReader }: { secondReader?: true }): Promise<void> {
  await withOffline(async ({ catalog, store }) => {
    const sites = await findSites(catalog, names)
    const progress = startProgress('Checking sites', sites.length)
    let wrong = 0
    for (const site of sites) {
      const seen = await inspect(store, site)
      const findings = [...seen, ...readFindings(store, site), ...(await gitFindings(store, site))]
      findings.push(...(await requestFindings(catalog, store, site)))
      if (secondReader === true) findings.push(...(await secondFindings(store, site, progress)))
      progress.advance(`${site.slug}: ${findings.length === 0 ? 'sound' : `${findings.length} findings`}`)
      for (const { what, remedy } of findings) console.log(printable(`${site.slug}: ${what}\n  ${remedy}`))
      if (findings.length > 0) wrong++
    }
    progress.done(wrong === 0 ? 'All sites are sound' : `${wrong} of ${sites.length} sites need attention`)
    if (wrong > 0) process.exitCode = 1
  })
}

/** Returns the findings that the service itself would report in its health, after a second look as there. */
async function inspect(store: Store, site: Site): Promise<Finding[]> {
  const [gitdir, drafts] = [store.repositories.gitdir(site), store.repositories.gitdir(draftsOf(site))]
  const look = async () => [
    ...(await inspectRepository(gitdir, site.id, new FormCheck())),
    ...(await inspectDrafts(drafts, gitdir, new FormCheck())),
  ]
  const first = await look()
  if (first.length === 0) return []
  await delay(SECOND_INSPECTION_MS)
  return foundAgain(first, await look()).map(({ kind, what, remedy }) => ({
    what,
    remedy: remedy ?? REMEDIES[kind],
  }))
}

/** Returns the findings of the service's own reader, which decide whether the site is served. */
function readFindings(store: Store, site: Site): Finding[] {
  try {
    const snapshot = store.reader.snapshot(site)
    const entry = snapshot.entry(SITE_FILE)
    const file = entry && parseSiteFile(snapshot.blob(entry.oid))
    const lines = [...checkRules(snapshot)].map(({ path, message }) => ({
      what: `${path}: ${message}`,
      remedy: 'The site is served without it. Fix the file and push it.',
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
        remedy: 'docs/repair.md says how to repair each part; as a last resort, "The whole repository".',
      },
    ]
  }
}

/** Returns the findings of git in all objects of all refs of the site, and in those of its change requests. */
async function gitFindings(store: Store, site: Site): Promise<Finding[]> {
  const [gitdir, drafts] = [store.repositories.gitdir(site), store.repositories.gitdir(draftsOf(site))]
  const printed = await gitFsck(gitdir).catch(messageOfGit)
  // git reads the objects of the site again with those that borrow them: a fault of the site is named once.
  if (printed !== '' || !existsSync(drafts)) return findingsIn(printed)
  return findingsIn(await gitFsckOfBorrower(drafts, gitdir).catch(messageOfGit), ' of change requests')
}

/** Returns the change requests whose branch or whose row is missing, after a second look: one that begins has its branch first. */
async function requestFindings(catalog: Catalog, store: Store, site: Site): Promise<Finding[]> {
  const first = await lookAtRequests(catalog, store, site)
  if (first.length === 0) return []
  await delay(SECOND_INSPECTION_MS)
  const second = await lookAtRequests(catalog, store, site)
  return second.filter(({ what }) => first.some((finding) => finding.what === what))
}

async function lookAtRequests({ changeRequests }: Catalog, store: Store, site: Site): Promise<Finding[]> {
  // Those that ended keep their branch for a while only.
  const open = await changeRequests.list(site.id, { states: OPEN_STATES, limit: OPEN_REQUESTS.site.quota })
  const drafts = store.repositories.gitdir(draftsOf(site))
  const branches = existsSync(drafts) ? branchesOf(drafts) : []
  const unknown = branches.filter((id) => changeRequests.find(id)?.siteId !== site.id)
  const lost = open.filter(({ id }) => !branches.includes(id))
  return [
    ...unknown.map((id) => ({ what: `change request ${id} is unknown to the catalog`, remedy: REMEDY.request })),
    ...lost.map(({ id, number }) => ({
      what: `change request ${number} has no branch refs/heads/${id}`,
      remedy: REMEDY.lostBranch,
    })),
  ]
}

function findingsIn(printed: string, ofWhat = ''): Finding[] {
  if (printed === '') return []
  const lines = printed.split('\n')
  const shown =
    lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), `and ${lines.length - MAX_LINES} more lines`] : lines
  return [{ what: `git fsck${ofWhat}: ${shown.join('\n    ')}`, remedy: remedyOf(lines) }]
}

/** Returns the differences between our own reader and isomorphic-git. */
async function secondFindings(store: Store, site: Site, progress: Progress): Promise<Finding[]> {
  const differences = await withLinkedCopy(store.repositories.gitdir(site), (copy) =>
    readTwice(site.slug, copy, progress),
  )
  return differences.map((what) => ({ what: `second reader: ${what}`, remedy: SECOND_READER_REMEDY }))
}

function messageOfGit(error: unknown): string {
  if (!(error instanceof GitFailed)) throw error
  return error.output || error.message
}

/** Returns the remedy. An unreadable file, or one that git derives from the objects, makes git complain of sound objects. */
function remedyOf(lines: readonly string[]): string {
  if (lines.some((line) => /Permission denied/.test(line))) return REMEDY.access
  if (lines.some((line) => /commit-graph|multi-pack-index|failed to load pack in position/.test(line)))
    return `${REMEDY.derived} Then check again.`
  return 'Take missing or damaged objects from a clone or a backup: docs/repair.md, "Objects".'
}
