// Says whether a push may enter. This is the only judge: of pushes by path, which the hook brings, of pushes over HTTP, and of imports.
// It works on files and git alone, so it needs no running service. git has checked each pushed object before (index-pack --strict).

import { basename } from 'node:path'
import { ObjectCorrupt, ObjectMissing } from '../../../git/objects/errors.js'
import type { Oid } from '../../../git/objects/oid.js'
import type { RefChange } from '../../../git/objects/ref-change.js'
import { readTags } from '../../../git/repository/tag-refs.js'
import { ObjectDatabase } from '../../../git/storage/object-database.js'
import type { ObjectReader } from '../../../git/storage/object-reader.js'
import type { FileSizes } from '../../../model/limits.js'
import { MAIN } from '../../format/main-ref.js'
import { commitsInRow, listNewCommits, whereTheyMeet } from './new-commits.js'
import { checkNewObjects } from './new-objects.js'
import { lacksObjects, PushRefused, publishInstead, pushNote, refusal } from './push-messages.js'
import { PushedObjects } from './pushed-objects.js'
import { warnOfRenames } from './renamed-pages.js'
import { checkRefs } from './ref-rules.js'
import { checkSiteFile, warnOfLostCollections, warnOfRules } from './site-files.js'
import { StartPages } from './start-pages.js'
import { newEntries } from './tree-entries.js'
import { checkName, checkTreeSize } from './tree-rules.js'
import { UnservedEntries } from './unserved-entries.js'

export interface PushToJudge {
  gitdir: string
  /** The folder of the new objects; undefined if they are in the repository already, as in an import. */
  quarantine: string | undefined
  changes: readonly RefChange[]
  /** Undefined for a repository that belongs to no site yet. */
  siteId: string | undefined
  sizes: FileSizes
}

const NOT_LINEAR = refusal(
  'this history is linear: git pull --rebase, then push again. A merge or a forced push would hide what was published.',
).lines
const MERGE =
  'git fetch <remote> main && git switch --detach FETCH_HEAD && git merge --allow-unrelated-histories <your branch> && git push <remote> HEAD:main'
const UNRELATED = [
  ...refusal('this history begins with another commit than that of the site.').lines,
  pushNote(`to bring this history into the site: ${MERGE}`),
  pushNote('to make a new site of this history: palimpsest sites import <URL of this repository>'),
]

/** Returns warnings, a line each. Throws PushRefused, and errors of git and the disk. */
export async function judgePush(push: PushToJudge): Promise<string[]> {
  const repository = new ObjectDatabase(push.gitdir)
  const { quarantine } = push
  const objects = quarantine === undefined ? repository : new PushedObjects(repository, quarantine)
  const isOld = (oid: Oid) => quarantine !== undefined && repository.isStored(oid)
  try {
    return await judge(push, objects, isOld)
  } catch (error) {
    if (error instanceof ObjectMissing) throw lacksObjects()
    throw error instanceof ObjectCorrupt ? refusal('the pushed tree cannot be read.') : error
  } finally {
    if (objects instanceof PushedObjects) objects.clear()
    repository.close()
  }
}

async function judge(push: PushToJudge, objects: ObjectReader, isOld: (oid: Oid) => boolean): Promise<string[]> {
  const { gitdir, changes, sizes } = push
  checkRefs(changes, () => readTags(gitdir).size)
  const tips = changes.flatMap(({ after }) => after ?? [])
  if (tips.length === 0) return []
  const main = changes.find(({ ref }) => ref === MAIN)
  const row = main?.before == null || main.after === null ? undefined : commitsInRow(objects, main.before, main.after)
  const isRowAlone = row !== undefined && tips.length === 1
  checkNewObjects({ objects, sizes, isOld }, isRowAlone ? row : await listNewCommits(push, tips), tips)
  if (main?.after == null) return []
  if (main.before !== null && row === undefined) await refuseOtherHistory(push, main.before, main.after)
  return judgeTree(push, objects, main.before, main.after)
}

async function refuseOtherHistory(push: PushToJudge, before: Oid, after: Oid): Promise<void> {
  const meeting = await whereTheyMeet(push, before, after)
  if (meeting === before) return
  const publish = publishInstead(basename(push.gitdir, '.git'))
  throw new PushRefused(meeting === undefined ? [...UNRELATED, publish] : [...NOT_LINEAR, publish])
}

/** Judges what main will have. */
function judgeTree({ siteId, sizes }: PushToJudge, objects: ObjectReader, before: Oid | null, after: Oid): string[] {
  const [was, is] = [before === null ? undefined : objects.readCommit(before).tree, objects.readCommit(after).tree]
  checkTreeSize(objects, is)
  const unserved = new UnservedEntries(objects, is, sizes)
  const starts = new StartPages(objects, was, is)
  // The tree has a size that a site may have: all its new entries are looked at.
  for (const entry of newEntries(objects, was, is, () => true)) {
    checkName(entry)
    unserved.note(entry)
    starts.note(entry)
  }
  if (siteId !== undefined) checkSiteFile(objects, was, is, siteId)
  const lost = warnOfLostCollections(objects, was, is)
  const renamed = siteId === undefined ? [] : warnOfRenames(objects, was, is, siteId)
  return [...warnOfRules(objects, was, is), ...unserved.warnings(), ...lost, ...renamed, ...starts.warnings()]
}
