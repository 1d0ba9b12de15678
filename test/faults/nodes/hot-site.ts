// A site of the load: its few pages, all that clients did to them, and the contents of its repositories.

import { execFileSync } from 'node:child_process'
import { complaintsOf, git } from '../../support/git.js'
import { findViolations, type HistoryOperation } from '../judges/history-checker.js'
import type { Report } from '../program.js'

/** Each replaces a page by its own id, which is in no other write. */
const WRITE = /^w-\d+$/

export class HotSite {
  readonly id: string
  readonly slug: string
  /** Page ids by path. */
  readonly pages: ReadonlyMap<string, string>
  readonly operations: HistoryOperation[] = []

  constructor(id: string, slug: string, pages: ReadonlyMap<string, string>) {
    this.id = id
    this.slug = slug
    this.pages = pages
  }

  /** The times of the acknowledged writes. */
  get acknowledgements(): number[] {
    return this.operations.flatMap((one) =>
      one.kind === 'write' && one.outcome === 'acknowledged' && one.returned !== undefined ? [one.returned] : [],
    )
  }

  /** The repositories are equal and sound, and every answer fits their one history. */
  judge(gitdirs: readonly string[], report: Report): void {
    const [first = ''] = gitdirs
    if (new Set(gitdirs.map((gitdir) => git(gitdir, 'rev-parse', 'main'))).size > 1)
      report.violate(`the nodes have different histories of ${this.slug}`)
    for (const gitdir of gitdirs) {
      const complaints = complaintsOf(gitdir)
      if (complaints !== '') report.violate(`${this.slug}: git fsck: ${complaints}`)
    }
    for (const sentence of findViolations(this.operations, writesIn(first))) {
      if (sentence.endsWith('was acknowledged and is not in the log')) report.lose(`${this.slug}: ${sentence}`)
      else report.violate(`${this.slug}: ${sentence}`)
    }
  }
}

/** The ids of the writes in the order of main's first parents, as the pages that they left say. */
function writesIn(gitdir: string): string[] {
  const log = git(
    gitdir,
    'log',
    '--first-parent',
    '--diff-merges=first-parent',
    '--reverse',
    '--format=',
    '--raw',
    '--no-abbrev',
    'main',
    '--',
    'page-*.html',
  )
  const blobs = log.split('\n').flatMap((line) => line.split(' ')[3] ?? [])
  const found = execFileSync('git', ['-C', gitdir, 'cat-file', '--batch'], {
    input: blobs.map((blob) => `${blob}\n`).join(''),
    maxBuffer: 1 << 28,
  })
  return found
    .toString()
    .split('\n')
    .filter((line) => WRITE.test(line))
}
