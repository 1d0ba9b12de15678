// Publishes a folder as one commit, with files of every kind: sends only bytes that the service lacks.

import {
  deploy,
  type Deployed,
  type DeployFile,
  type DeployProgress,
  type OpenedDeploy,
  Refusal,
} from '../../protocols/client/client.js'
import { NOT_UTF8 } from '../../model/bytes.js'
import { HEADERS_FILE, parseHeaders } from '../../model/rules/headers-file.js'
import { haveOtherCharset } from '../../repository/resolution/header-fields.js'
import { readFolder } from '../../protocols/client/node/read-folder.js'
import { IGNORE_FILE } from '../../protocols/client/node/folder.js'
import { LEADS_OUT } from '../../protocols/client/node/unusable-folder.js'
import type { Connection } from '../connection/connection.js'
import { LeftOut } from '../connection/explain.js'
import { Unusable } from '../connection/unusable.js'
import { adviseIfLate } from '../connection/service-fetch.js'
import { KeptOids } from '../local/kept-oids.js'
import { formatBytes } from '../terminal/byte-count.js'
import { isAsked, isConfirmed } from '../terminal/confirm.js'
import { cell, printError, printJson } from '../terminal/printable.js'
import { type Progress, startProgress } from '../terminal/progress.js'
import { printTable } from '../terminal/table.js'
import { type ChangeRequest, toldDraft } from './draft.js'
import { printDiffs } from './dry-run.js'

export interface FolderDeploy {
  folder: string
  /** The change request that the files go to, in place of what is live. */
  draft?: ChangeRequest | undefined
  /** The path that the files are published below. */
  below?: string | undefined
  message?: string | undefined
  /** Removes the site's files that the folder lacks, below `below`. */
  replace: boolean
  dryRun: boolean
  /** Shows the differences of the pages that would change, in a dry run. */
  diff: boolean
  followLinks: boolean
  /** Publishes nothing if something must be left out. */
  strict: boolean
  json: boolean
  /** Does not ask before it removes. */
  yes?: boolean
}

const MAX_SHOWN = 20
const OUTCOMES = { added: 'created', modified: 'replaced', removed: 'removed' } as const

/** Returns whether it changed something. */
export async function deployFolder({ client }: Connection, options: FolderDeploy): Promise<boolean> {
  const { message, replace, dryRun, diff, json, draft } = options
  const read = await filesOf(options)
  const progress = json ? undefined : showProgress()
  const printed = new Set<string>()
  const send = async (isTrial: boolean) => {
    const deployed = await adviseIfLate('Run the command again to resume.', () =>
      deploy(client, read.files, {
        mode: replace ? 'replace' : 'merge',
        ...(message !== undefined && { message }),
        changeRequest: draft?.id,
        dryRun: isTrial,
        skipInvalid: true,
        ...(replace && options.below !== undefined && { below: options.below }),
        keep: read.leftOut.map(({ path }) => path),
        onOpened: (opened) => checkLeftOut(read, opened, options.strict, printed),
        ...(progress && { onProgress: progress.show }),
      }),
    )
    progress?.close()
    return deployed
  }
  try {
    if (replace && !dryRun && isAsked(options) && !(await mayRemove(await send(true)))) {
      printError('Nothing was published.')
      return false
    }
    const deployed = await send(dryRun)
    const skipped = [...read.leftOut, ...(deployed.skipped ?? [])]
    if (json) printJson({ ...deployed, skipped, ...toldDraft(draft) })
    else {
      if (diff) await printDiffs(client, read.files, deployed, draft)
      printDeployed(deployed, { dryRun, leftOut: skipped.length, printed, isLive: draft === undefined })
    }
    return deployed.changed
  } catch (error) {
    progress?.close()
    printProblems(error)
    throw error
  }
}

/** Lists what a refusal is about, if it is about several files: its message names only the first. */
function printProblems(error: unknown): void {
  if (!(error instanceof Refusal) || error.code !== 'invalid_deploy') return
  const { problems = [] } = (error.details ?? {}) as { problems?: Problem[] }
  if (problems.length > 1) for (const { path, message } of problems) printError(`${cell(path)}: ${cell(message)}`)
}

/** Names what a trial removes, and asks; returns true if that is nothing. */
async function mayRemove({ removed, files }: Deployed): Promise<boolean> {
  if (removed === 0) return true
  const names = files.filter(({ change }) => change === 'removed').map(({ path }) => cell(path, process.stderr))
  for (const name of names.slice(0, MAX_SHOWN)) printError(`removes ${name}`)
  if (removed > MAX_SHOWN) printError(`… and ${removed - MAX_SHOWN} more`)
  return await isConfirmed(`This removes ${removed === 1 ? '1 file' : `${removed} files`} of the site. Publish?`)
}

interface Problem {
  path: string
  line?: number
  message: string
}

interface ReadFolder {
  files: DeployFile[]
  leftOut: Problem[]
  warnings: Problem[]
}

/** Throws Unusable if the folder holds nothing to publish. */
async function filesOf({ folder, below, followLinks }: FolderDeploy): Promise<ReadFolder> {
  const known = new KeptOids(folder)
  const { files, ignored, hidden, refused, notUtf8 } = await readFolder(folder, {
    below,
    followLinks,
    skipInvalid: true,
    known,
  })
  known.store()
  if (files.length === 0 && refused.length === 0) throw new Unusable(`There is no file to publish in ${folder}.`)
  if (ignored.length > 0) printError(wordsOfIgnored(ignored))
  const leftOut = refused.map(({ name, reason }) => ({
    path: joinPath(below, name),
    message: `It ${reason}${reason === LEADS_OUT ? ': --follow-links follows it' : ''}.`,
  }))
  const warnings = [
    ...hidden.map(({ name, reason }) => ({ path: joinPath(below, name), message: `It ${reason}.` })),
    ...(await withoutCharset(notUtf8, files)).map((path) => ({ path, message: NOT_UTF8 })),
  ]
  return { files, leftOut, warnings }
}

/** Leaves out pages whose encoding the `_headers` of the folder names. */
async function withoutCharset(pages: readonly string[], files: readonly DeployFile[]): Promise<string[]> {
  const file = pages.length === 0 ? undefined : files.find(({ name }) => name === HEADERS_FILE)
  if (file === undefined) return [...pages]
  const { rules } = parseHeaders(Buffer.from(await (await file.read()).arrayBuffer()))
  return pages.filter((page) => !haveOtherCharset(rules, page))
}

function wordsOfIgnored(ignored: readonly { name: string; rule: string }[]): string {
  const shown = ignored.slice(0, MAX_SHOWN).map(({ name, rule }) => `${cell(name, process.stderr)} (${rule})`)
  const more = ignored.length > shown.length ? `, … and ${ignored.length - shown.length} more` : ''
  const what = ignored.length === 1 ? 'name is' : 'names are'
  return `${ignored.length} hidden or ignored ${what} left out: ${shown.join(', ')}${more}.`
}

function joinPath(below = '', name: string): string {
  return [...below.split('/').filter(Boolean), name].join('/')
}

/** Lists what is left out and what is odd, before anything is sent. Throws LeftOut if nothing is left, or if all must be published. */
function checkLeftOut(
  { files, leftOut, warnings: own }: ReadFolder,
  { skipped = [], warnings = [] }: OpenedDeploy,
  strict: boolean,
  printed: Set<string>,
): void {
  const all = [...leftOut, ...skipped]
  for (const { path, message } of all) printOnce(`left out: ${cell(path)}: ${cell(message)}`, printed)
  for (const warning of [...own, ...warnings]) printWarning(warning, printed)
  if (skipped.length === files.length) throw new LeftOut('Nothing was published: no file is left to publish.')
  if (strict && all.length > 0)
    throw new LeftOut(
      `Nothing was published: ${all.length} of the names cannot be. Rename them, name them in ${IGNORE_FILE}, or leave out --strict.`,
    )
}

function printWarning({ path, line, message }: Problem, printed: Set<string>): void {
  printOnce(`warning: ${cell(path)}${line === undefined ? '' : `:${line}`}: ${cell(message)}`, printed)
}

function printOnce(text: string, printed: Set<string>): void {
  if (!printed.has(text)) printError(text)
  printed.add(text)
}

/** Shows a bar on a terminal, a line for each tenth elsewhere; nothing if nothing is sent. */
function showProgress(): { show: (sent: DeployProgress) => void; close: () => void } {
  let bar: Progress | undefined
  let shown = 0
  let last = ''
  return {
    show({ files, bytes, totalFiles, totalBytes }) {
      if (totalFiles === 0) return
      bar ??= startProgress('Sending', totalBytes)
      last = `sent ${files} of ${totalFiles} files, ${formatBytes(bytes)} of ${formatBytes(totalBytes)}`
      const isDue =
        process.stderr.isTTY || Math.floor((10 * bytes) / totalBytes) > Math.floor((10 * shown) / totalBytes)
      if (files === 0 || files === totalFiles || !isDue) return
      bar.advance(last, bytes - shown)
      shown = bytes
    },
    close() {
      bar?.done(last)
      bar = undefined
    },
  }
}

/** Prints changes and the URL on standard output, the rest on standard error. */
function printDeployed(
  deployed: Deployed,
  { dryRun, leftOut, printed, isLive }: { dryRun: boolean; leftOut: number; printed: Set<string>; isLive: boolean },
): void {
  const { created, replaced, unchanged, removed, files, warnings, url, previewUrl, expiresAt } = deployed
  const rows = files.map(({ path, change }) => [OUTCOMES[change], cell(path)])
  const listed = process.stdout.isTTY ? rows.slice(0, MAX_SHOWN) : rows
  if (listed.length > 0) printTable(['', 'file'], listed)
  const changes = created + replaced + removed
  if (changes > listed.length) printError(`… and ${changes - listed.length} more`)
  for (const warning of warnings) printWarning(warning, printed)
  if (leftOut > 0) printError(`${leftOut} name${leftOut === 1 ? ' is' : 's are'} left out, see above.`)
  printError(`created ${created}, replaced ${replaced}, unchanged ${unchanged}, removed ${removed}`)
  if (!dryRun && isLive) console.log(cell(url))
  if (dryRun && previewUrl != null) printError(`Preview until ${expiresAt}: ${cell(previewUrl)}`)
  if (dryRun) printError('Dry run: nothing was published.')
}
