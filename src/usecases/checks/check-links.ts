// Checks the links of a site: one finding for each target that leads nowhere. The index has the links of main; those of the pages that a
// change request changes are read from these pages.

import type { ChecksData } from '../../../schemas/sites.js'
import type { Targets } from '../../index/queries/page-links.js'
import { MAX_BLOB_BYTES } from '../../model/bytes.js'
import { ServiceError } from '../../model/errors.js'
import { parsePagePath, treePathOf } from '../../model/paths/page-path.js'
import type { SnapshotSource } from '../../repository/reading/snapshot-source.js'
import { MAX_FINDINGS } from '../../tasks/analysis/finding.js'
import type { AtSite, Reading } from '../context/call.js'
import { changedPages, leftOutPages, linksTo, targetsOf } from '../pages/links.js'

/** One finding of the answer; a broken link has its target and the pages that link to it. */
export type Reported = ChecksData['findings'][number]
/** A finding; `unchecked` if something was left out; undefined in between, so that the caller can stop a long check. */
export type Step = Reported | 'unchecked' | undefined

type CheckCall = AtSite<Reading | 'tasks'>
type LinkingPage = NonNullable<Reported['pages']>[number]
/** Pages of a change request, by the broken target that they link to. */
type Broken = Map<string, LinkingPage[]>

/** The most pages that are named for one target. */
const MAX_NAMED_PAGES = 10
const PASSED_OVER = {
  too_large: `The page has more than ${MAX_BLOB_BYTES} bytes: it is served, but not searched or checked. Make it smaller.`,
  no_room:
    'The site has more text than can be searched, so this page is found only by its title. Remove pages, or ask the operator for more room.',
} as const

/** Leaves links of main unchecked if the site's text index does not catch up in time. */
export async function* checkLinks(call: CheckCall, source: SnapshotSource): AsyncGenerator<Step> {
  const broken: Broken = new Map()
  yield* readChanged(call, source, broken)
  try {
    yield* listPassedOver(call)
    for (let from: number | null = 0; from !== null; ) {
      const { targets, next }: Targets = await targetsOf(call, { from })
      for (let first = 0; first < targets.length; ) {
        const rest = targets.slice(first)
        const { lost, checked } = await call.tasks.run('lostTargets', { source, targets: rest }, call.site)
        yield* reportLost(call, lost, broken)
        first += checked
      }
      from = next
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'site_busy') throw error
    yield 'unchecked'
  }
  for (const [target, pages] of broken) yield brokenLink(target, pages.length, pages)
}

/** Notes the broken links of the pages that a change request changes. */
async function* readChanged(call: CheckCall, source: SnapshotSource, broken: Broken): AsyncGenerator<Step> {
  const paths = [...changedPages(call)].toSorted()
  for (let first = 0; first < paths.length && broken.size <= MAX_FINDINGS; ) {
    const rest = paths.slice(first)
    const found = await call.tasks.run('brokenLinksOfPages', { source, paths: rest }, call.site)
    const ids = await call.indexFollower.read(call.site, ({ pages }) =>
      found.broken.map(({ path }) => pages.findByPath(path)?.id),
    )
    for (const [at, { path, target, line }] of found.broken.entries()) {
      const id = ids[at]
      if (id !== undefined) broken.set(target, [...(broken.get(target) ?? []), { id, path, line }])
    }
    yield found.isComplete ? undefined : 'unchecked'
    first += found.checked
  }
}

async function* reportLost(call: CheckCall, lost: readonly string[], broken: Broken): AsyncGenerator<Step> {
  for (const { target, count, pages } of await linksTo(call, { targets: lost.slice(0, MAX_FINDINGS) })) {
    const changed = broken.get(target) ?? []
    broken.delete(target)
    const named = [...pages.map(({ pageId, path, line }) => ({ id: pageId, path, line })), ...changed]
    yield brokenLink(
      target,
      count + changed.length,
      named.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    )
  }
  yield lost.length > MAX_FINDINGS ? 'unchecked' : undefined
}

function brokenLink(target: string, count: number, pages: readonly LinkingPage[]): Reported {
  const named = pages.slice(0, MAX_NAMED_PAGES)
  const file = named[0] === undefined ? '' : treePathOf(parsePagePath(named[0].path))
  return {
    code: 'broken_link',
    path: file,
    message: `The link to ${target} leads nowhere.`,
    target,
    count,
    pages: named,
  }
}

/** Yields the pages that the service does not read completely. */
async function* listPassedOver(call: AtSite<'indexFollower' | 'tasks'>): AsyncGenerator<Step> {
  for (const { path, reason } of await leftOutPages(call, MAX_FINDINGS)) {
    if (reason === 'links') yield 'unchecked'
    else
      yield {
        code: reason === 'too_large' ? reason : 'not_searched',
        path: treePathOf(parsePagePath(path)),
        message: PASSED_OVER[reason],
      }
  }
}
