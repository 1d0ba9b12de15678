// The table of the service's tasks: work whose cost cannot be bounded beforehand, done outside the serving thread. A task depends only on
// its input, on objects in repositories, which never change, and on the rows of the index at one moment. It may throw a ServiceError, and
// may be killed at any moment.

import { diffBlobs, diffFiles, type NamedBlob } from './analysis/blob-diff.js'
import { findBrokenLinks, MAX_LINK_WARNINGS } from './analysis/broken-links.js'
import { findFilesAtStake } from './analysis/file-links.js'
import { checkTree } from './analysis/check-tree.js'
import { contentWarnings, caseClashWarnings } from './analysis/content-warnings.js'
import { describeDeploy } from './analysis/describe-deploy.js'
import { diffDraft } from './analysis/draft-diff.js'
import { brokenLinksOfPages } from './analysis/links-of-pages.js'
import { lostTargets } from './analysis/lost-targets.js'
import { linksTo, listBacklinks, listLeftOut, listLinking, listTargets } from '../index/queries/page-links.js'
import { listPages } from '../index/queries/list-pages.js'
import { listRecords } from '../index/queries/list-records.js'
import { searchPages } from '../index/queries/search-pages.js'
import type { TreeChange } from '../git/objects/diff.js'
import type { Oid } from '../git/objects/oid.js'
import { type DocumentWishes, type Form, readDocument, readPart } from '../texts/documents/read-document.js'
import type { PictureForm } from '../model/paths/picture-form.js'
import type { PartWishes } from '../model/text-parts.js'
import type { RecordToCheck } from './record-schemas/check-record.js'
import { type RulesToTry, tryRules } from '../repository/resolution/try-rules.js'
import { canonicalJson } from '../repository/format/canonical-json.js'
import { openSnapshot, type SnapshotSource } from '../repository/reading/snapshot-source.js'
import { DiskRepositories } from '../repository/disk/disk-repositories.js'
import type { SiteRef } from '../repository/protocol/write.js'
import { measureGrowth } from '../repository/pushing/measure-growth.js'
import { judgeAndReview, reviewPush } from '../repository/pushing/review-push.js'
import { mergeSentFields } from '../repository/merging/merge-fields.js'
import { mergeText } from '../repository/merging/merge-text.js'
import { type BranchMergeAim, prepareBranchMerge } from '../repository/requests/prepare-branch-merge.js'
import { prepareRevert, type RevertAim } from '../repository/reverting/prepare-revert.js'
import { type DeployToPrepare, prepareDeploy } from '../repository/deploying/prepare-deploy.js'
import type { TextEdit } from '../texts/edit-places.js'
import { editHtml, editOneOfMany } from '../texts/edit-text.js'
import { editFile, textOfFile } from '../texts/file-text.js'
import { type JsonBounds, parseJson } from '../texts/parse-json.js'
import type { Rendering } from '../texts/render-template.js'
import { findLinking, type PageToSearch } from './find-linking.js'
import { type PageToRewrite, rewritePages } from './rewrite-pages.js'
import type { TaskPool } from './task-pool.js'

export const TASKS = {
  editHtml: ({ source, blob, edits }: { source: SnapshotSource; blob: Oid; edits: readonly TextEdit[] }) =>
    editHtml(openSnapshot(source).blob(blob), edits),

  editOneOfMany: ({ source, blob, edits }: { source: SnapshotSource; blob: Oid; edits: readonly TextEdit[] }) =>
    editOneOfMany(openSnapshot(source).blob(blob), edits),

  editFile: ({ source, blob, edits }: { source: SnapshotSource; blob: Oid; edits: readonly TextEdit[] }) =>
    editFile(openSnapshot(source).blob(blob), edits),

  diffBlobs: ({ source, before, after }: { source: SnapshotSource; before: NamedBlob; after: NamedBlob }) =>
    diffBlobs(openSnapshot(source), before, after),

  diffFiles: ({
    source,
    before,
    after,
    as,
  }: {
    source: SnapshotSource
    before: NamedBlob
    after: NamedBlob
    as?: Form
  }) => diffFiles(openSnapshot(source), before, after, as),

  describeDeploy: ({ before, after, ...what }: DeployToDescribe) =>
    describeDeploy(openSnapshot(before), openSnapshot(after), what),

  describeDraft({ changes, ...change }: ChangeToJudge & { changes: readonly TreeChange[] }) {
    const { warnings: own, ...found } = findWarnings(change)
    const after = openSnapshot(change.draft)
    const others = findFilesAtStake(after, changes)
    const warnings = [...own, ...others.warnings].slice(0, MAX_LINK_WARNINGS)
    const isAllChecked = found.isAllChecked && others.isComplete
    return { ...found, diff: diffDraft(after, changes), warnings, isAllChecked }
  },

  findWarnings,

  listRecords,

  listPages,

  rewritePages: ({ source, pages, moved }: PagesToRewrite) => rewritePages(openSnapshot(source), pages, moved),

  findLinking: ({ source, pages, places }: PagesToSearch) => findLinking(openSnapshot(source), pages, places),

  prepareDeploy: (input: DeployToPrepare) => prepareDeploy(input),

  reviewPush,

  judgeAndReview,

  measureGrowth,

  searchPages,

  listBacklinks,

  listTargets,

  linksTo,

  listLinking,

  listLeftOut,

  lostTargets: ({ source, targets }: { source: SnapshotSource; targets: readonly string[] }) =>
    lostTargets(targets, openSnapshot(source)),

  brokenLinksOfPages: ({ source, paths }: { source: SnapshotSource; paths: readonly string[] }) =>
    brokenLinksOfPages(paths, openSnapshot(source)),

  checkTree: (source: SnapshotSource) => checkTree(openSnapshot(source)),

  /** Takes the text as bytes of UTF-8. */
  parseJson: ({ json, bounds }: { json: Buffer; bounds: JsonBounds }) => parseJson(json.toString(), bounds),

  canonicalJson: (json: string) => canonicalJson(JSON.parse(json)),

  // Imported late: Liquid and Ajv are a tenth of a start, and most processes never need them.
  renderTemplate: async (rendering: Rendering) =>
    (await import('../texts/render-template.js')).renderTemplate(rendering),

  tryRules: ({ source, ...rules }: RulesToTry & { source: SnapshotSource }) => tryRules(openSnapshot(source), rules),

  checkRecord: async (record: RecordToCheck) => (await import('./record-schemas/check-record.js')).checkRecord(record),

  prepareRevert: ({ dataDir, site, aim }: { dataDir: string; site: SiteRef; aim: RevertAim }) =>
    prepareRevert(new DiskRepositories(dataDir), site, aim, findRecordFaults),

  /** `site` names the change request. */
  async prepareBranchMerge({ dataDir, site, aim }: { dataDir: string; site: SiteRef; aim: BranchMergeAim }) {
    const repositories = new DiskRepositories(dataDir)
    const repository = repositories.open(site)
    try {
      return await prepareBranchMerge(
        { gitdir: repositories.gitdir(site), objects: repository.objects },
        aim,
        findRecordFaults,
      )
    } finally {
      repository.close()
    }
  },

  mergeText,

  mergeSentFields,

  readDocument: ({ source, blob, wishes }: { source: SnapshotSource; blob: string; wishes: DocumentWishes }) =>
    readDocument(openSnapshot(source).blob(blob).toString(), wishes),

  readPart: ({ source, blob, maxBytes, wishes, part }: PartToRead) =>
    readPart(openSnapshot(source).blob(blob, maxBytes).toString(), wishes, part),

  /** Imported late, as above: few sites ask for it. */
  fitPicture: async ({ source, blob, form }: { source: SnapshotSource; blob: Oid; form: PictureForm }) =>
    (await import('./fit-picture.js')).fitPicture(openSnapshot(source).blob(blob), form),

  readFile: ({ source, blob, maxBytes, wishes, part }: PartToRead) =>
    readPart(textOfFile(openSnapshot(source).blob(blob, maxBytes)), wishes, part),
} as const

/** Imported late, as above. */
async function findRecordFaults(record: RecordToCheck & { json: string }): Promise<string[]> {
  return (await import('./record-schemas/check-record.js')).wordsOfFaults(record)
}

interface DeployToDescribe {
  before: SnapshotSource
  /** The commit of the deploy, or of its dry run. */
  after: SnapshotSource
  /** The paths of all its files. */
  named: readonly string[]
  /** Whether pages may be in any encoding. */
  anyEncoding: boolean
}

/** Finds what is likely wrong with the pages of a change, or is lost by it; with `onlyNew`, only what was right before. */
function findWarnings({ base, draft, targets, onlyNew }: ChangeToJudge) {
  const after = openSnapshot(draft)
  const { lost, checked } = lostTargets(targets, after, openSnapshot(base))
  const { pageFiles, files } = draft.commit === base.commit ? { pageFiles: [], files: [] } : after.facts()
  const changed = [...pageFiles, ...files]
  const { warnings, isComplete } = findBrokenLinks(after, changed, onlyNew === true ? new Set(lost) : undefined)
  const isAllChecked = isComplete && checked === targets.length
  return {
    warnings: [...caseClashWarnings(after, changed), ...contentWarnings(after, pageFiles), ...warnings].slice(
      0,
      MAX_LINK_WARNINGS,
    ),
    isAllChecked,
    lost,
  }
}

interface ChangeToJudge {
  base: SnapshotSource
  draft: SnapshotSource
  /** Link targets of unchanged pages that the change may remove. */
  targets: readonly string[]
  onlyNew?: boolean
}

interface PagesToRewrite {
  source: SnapshotSource
  pages: readonly PageToRewrite[]
  moved: readonly (readonly [place: string, url: string])[]
}

interface PagesToSearch {
  source: SnapshotSource
  pages: readonly PageToSearch[]
  places: readonly string[]
}

interface PartToRead {
  source: SnapshotSource
  blob: Oid
  maxBytes: number
  wishes: DocumentWishes
  part: PartWishes
}

export type Tasks = TaskPool<typeof TASKS>
