// The kinds of damage of a site's repository, in the words for operators.

import { ObjectCorrupt, ObjectMissing, RepositoryInvalid } from '../../git/objects/errors.js'
import type { Oid } from '../../git/objects/oid.js'
import { ServiceError } from '../../model/errors.js'
import { isOid } from '../../model/ids.js'
import { OtherSitesRepository } from '../format/site-identity.js'
import type { SiteRef } from './write.js'

export type TroubleKind =
  /** Its form, its main branch or its configuration. */
  | 'repository'
  /** An object is damaged or missing. */
  | 'object'
  /** Main lost commits. */
  | 'history'
  /** A lock has no holder. */
  | 'lock'
  /** The tools of git fail. */
  | 'maintenance'
  /** It lacks commits that another machine has acknowledged. */
  | 'behind'

export interface Trouble {
  kind: TroubleKind
  /** The part with the trouble, if the kind has several: an oid, a ref, a file. */
  subject?: string
  /** One sentence. */
  what: string
  /** The repair for an operator; if missing, the kind's own. */
  remedy?: string
}

export const REMEDIES: Readonly<Record<TroubleKind, string>> = {
  repository: 'docs/repair.md says how to repair each part; if its files cannot be read, "Access".',
  object: 'Fetch the object from a clone or a backup: docs/repair.md, "Objects".',
  history: 'Put back what is missing, then delete the ref: docs/repair.md, "Lost history".',
  lock: 'Remove the file once no git process works on the repository.',
  maintenance: 'Run palimpsest maintain and palimpsest fsck for this site.',
  behind:
    'It is tried again each second. If it stays, stop this node, remove the folder of the site and start it: docs/nodes.md, "A site that a node refuses".',
}

/** Remedies for single parts of a repository. */
export const REMEDY = {
  form: 'Restore missing files and folders with git init: docs/repair.md, "Form". If all of it is gone: "The whole repository".',
  access: 'Give the files back to the service\'s user: docs/repair.md, "Access".',
  programs: 'Unless you put it there, remove it: docs/repair.md, "Foreign programs".',
  derived: 'Remove the file, which git makes again: docs/repair.md, "Derived files".',
  settings: 'The service puts them back by itself within seconds; if it cannot, the reason is in its log.',
  main: 'The last line of logs/refs/heads/main names the commit that main was at: docs/repair.md, "Main".',
  branch: 'The last line of its log in logs/refs/heads/ names its newest commit: docs/repair.md, "Change requests".',
  request: 'Run "palimpsest recover" with the service stopped, which adds it: docs/repair.md, "Change requests".',
  lostBranch: 'Take the branch from the backup, or close the request: docs/repair.md, "Change requests".',
  otherSite:
    'Put the repository of this site back in its place, or its id into .site.json: docs/repair.md, "Another site\'s repository".',
  packedRefs: 'Remove every line that is not a ref: docs/repair.md, "Packed refs".',
  pack: 'Take the pack out, save what is left of it, and fetch the rest from a clone or a backup: docs/repair.md, "Objects".',
  object:
    'Fetch the object from a clone or a backup: docs/repair.md, "Objects". If main names an object that never existed: "Main".',
} as const

/**
 * A running git command can look like damage for a moment. So a finding counts only if a second inspection, this much later, has it too.
 */
export const SECOND_INSPECTION_MS = 500

/** Returns the troubles of the second inspection that the first one had too. */
export function foundAgain(first: readonly Trouble[], second: readonly Trouble[]): Trouble[] {
  return second.filter((trouble) => includes(first, trouble))
}

/** Whether the troubles include one of the same kind and subject. */
export function includes(troubles: readonly Trouble[], { kind, subject = '' }: Trouble): boolean {
  return troubles.some((other) => other.kind === kind && (other.subject ?? '') === subject)
}

/** Begins the subjects of the repository with the change requests: they are none of the site's own. */
const OF_DRAFTS = 'drafts '

/** Returns the same trouble as one of the repository with the change requests. */
export function ofDrafts({ subject = '', what, ...trouble }: Trouble): Trouble {
  return { ...trouble, subject: `${OF_DRAFTS}${subject}`.trimEnd(), what: `change requests: ${what}` }
}

/** Returns the subject as the troubles of that place name it. */
export function subjectIn({ request }: Pick<SiteRef, 'request'>, subject: string): string {
  return request === undefined ? subject : `${OF_DRAFTS}${subject}`
}

/** Reads which object a subject names, and in which repository of the site; undefined if it names another part. */
export function damagedObjectIn(subject: string): { oid: Oid; isOfDrafts: boolean } | undefined {
  const isOfDrafts = subject.startsWith(OF_DRAFTS)
  const oid = isOfDrafts ? subject.slice(OF_DRAFTS.length) : subject
  return isOid(oid) ? { oid, isOfDrafts } : undefined
}

/** Returns the trouble behind an error of a read or a write; undefined if the repository is not the cause. */
export function troubleOf(error: unknown): Trouble | undefined {
  if (error instanceof ServiceError) {
    if (error.code !== 'site_unreadable') return undefined
    return { kind: 'repository', subject: 'form', ...diagnose(error.cause ?? error, REMEDY.form) }
  }
  if (error instanceof ObjectMissing || error instanceof ObjectCorrupt) return objectTrouble(error)
  if (error instanceof OtherSitesRepository)
    return { kind: 'repository', subject: 'site', what: error.message, remedy: REMEDY.otherSite }
  if (error instanceof RepositoryInvalid)
    return { kind: 'repository', subject: 'main', ...diagnose(error, REMEDY.main) }
  return undefined
}

export function objectTrouble(error: unknown): Trouble {
  const oid = error instanceof ObjectMissing || error instanceof ObjectCorrupt ? error.oid : undefined
  return { kind: 'object', subject: oid ?? '', ...diagnose(error, REMEDY.object) }
}

/**
 * Describes an error and names its remedy. If a file may not be read or written, the remedy is access, since its content is in order.
 */
export function diagnose(error: unknown, remedy: string): { what: string; remedy: string } {
  const what = wordsOf(error)
  return { what, remedy: /\b(?:EACCES|EPERM)\b/.test(what) ? REMEDY.access : remedy }
}

/** Returns the first line: causes that crossed a thread come with their stacks. */
function wordsOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1)
  return line
}
