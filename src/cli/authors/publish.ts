// `palimpsest publish`: publishes a folder as one commit, or one file as a page or as a plain file.

import { isUtf8 } from 'node:buffer'
import { openAsBlob, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { announceSite } from '../connection/announce-site.js'
import { type AuthorOptions, connect, type Connection, forAuthors } from '../connection/connection.js'
import { Unusable } from '../connection/unusable.js'
import { bytesBody, dataOf, Refusal } from '../../protocols/client/client.js'
import { fileOfPath, pathOfFile } from '../local/page-files.js'
import { askForSite } from './ask-site.js'
import { deployFolder } from './deploy-folder.js'
import { draftOption, draftQuery, inDraft, printDraft, toldDraft, writtenDraft } from './draft.js'
import { type PublishOptions, publishPage } from './publish-page.js'
import { cell, printError, printJson } from '../terminal/printable.js'
import { INTERRUPTED } from '../terminal/progress.js'
import { printDryRun } from './dry-run.js'

interface Options extends AuthorOptions {
  path?: string
  message?: string
  draft?: true | string
  delete?: true
  followLinks?: true
  strict?: true
  dryRun?: true
  diff?: true
  yes?: true
}

export function addPublish(program: Command): void {
  forAuthors(program.command('publish <source>'))
    .summary('publish a folder, or one file')
    .description('publish a folder with all its files as one commit, or one file; - is a page on standard input')
    .option('--path <path>', 'the path to publish at; for a folder: the path above its files')
    .option('--message <text>', 'the reason, recorded in the history')
    .option(
      '--delete',
      'for a folder: also remove the pages and files that the folder lacks; with --path, those below it',
    )
    .addOption(draftOption())
    .option('--yes', 'with --delete: do not ask on a terminal before something is removed')
    .option('--follow-links', 'for a folder: follow symbolic links that lead out of it')
    .option('--strict', 'for a folder: publish nothing if a name in it cannot be published')
    .option('--dry-run', 'publish nothing: show what would be done, with a preview')
    .addOption(new Option('--diff', 'a dry run that also shows the differences').implies({ dryRun: true }))
    .action(publish)
}

async function publish(source: string, options: Options): Promise<void> {
  const stat = source === '-' ? undefined : statSync(source, { throwIfNoEntry: false })
  if (source !== '-' && stat === undefined) throw new Unusable(`There is no ${source}.`)
  if (stat?.isDirectory() === true) return await publishFolder(source, options)
  const ofFolders = { '--delete': options.delete, '--follow-links': options.followLinks, '--strict': options.strict }
  for (const [name, isSet] of Object.entries(ofFolders))
    if (isSet === true) throw new Unusable(`${name} is for folders.`)
  const path = options.path ?? pathOfOne(source)
  if (source !== '-' && !isPage(source, path)) {
    const bytes = await openAsBlob(source)
    return await publishFile(await open(source, options), { path, bytes }, options)
  }
  const bytes = source === '-' ? await buffer(process.stdin) : readFileSync(source)
  if (bytes.length === 0) throw new Unusable(`${source} is empty: a page has at least one byte.`)
  if (!isUtf8(bytes)) throw new Unusable(`${source} is not UTF-8: save it as UTF-8.`)
  const connection = await open(source, options)
  try {
    await publishPage(connection, { path, html: bytes.toString() }, options)
  } catch (error) {
    const name = isTooLarge(error) ? fileOfPath(path) : undefined
    if (name === undefined) throw error
    // The service takes it as a file, and warns.
    await publishFile(connection, { path: `/${name}`, bytes: new Blob([bytes]) }, options)
  }
}

async function publishFolder(folder: string, options: Options): Promise<void> {
  if (!(await askForSite(folder, options))) {
    process.exitCode = INTERRUPTED
    return printError('Nothing was published.')
  }
  const connection = await open(folder, options)
  await inDraft(connection, options, async (draft) =>
    deployFolder(connection, {
      folder,
      draft,
      below: options.path,
      message: options.message,
      replace: options.delete === true,
      followLinks: options.followLinks === true,
      strict: options.strict === true,
      dryRun: options.dryRun === true,
      diff: options.diff === true,
      json: options.json === true,
      yes: options.yes === true,
    }),
  )
}

/** Whether the page, or the batch that holds it, is refused for its size. */
function isTooLarge(error: unknown): boolean {
  if (!(error instanceof Refusal)) return false
  const { errors = [] } = (error.details ?? {}) as { errors?: { code: string }[] }
  return [error.code, errors[0]?.code].includes('payload_too_large')
}

/** Connects to the site that the source's folder is linked to, and names the site. */
async function open(source: string, options: Options): Promise<Connection> {
  const isInput = source === '-'
  const connection = await connect(options, isInput ? '.' : source)
  const doing = options.dryRun === true ? 'Trying' : options.draft === undefined ? 'Publishing' : 'Proposing'
  await announceSite(
    connection,
    `${doing} ${isInput ? 'standard input' : source} ${options.dryRun === true ? 'on' : 'to'}`,
    options,
  )
  return connection
}

function pathOfOne(source: string): string {
  if (source === '-') throw new Unusable('Standard input needs a path: --path /about.')
  return source.endsWith('.html') ? pathOfFile(basename(source)) : `/${basename(source)}`
}

/** Whether a file is a page: by its name, or if `--path` names a path without the name of a file: `notes.txt --path /notes`. */
function isPage(source: string, path: string): boolean {
  return source.endsWith('.html') || !/\.[^./]+$|\/_(?:redirects|headers)$/.test(path)
}

async function publishFile(
  connection: Connection,
  file: { path: string; bytes: Blob },
  options: PublishOptions,
): Promise<void> {
  const { message, dryRun, diff, json } = options
  if (message !== undefined) throw new Unusable('--message is for pages and folders: put the file into a folder.')
  const query = { path: file.path, ...(dryRun === true && { dryRun }), ...(await draftQuery(connection, options)) }
  const answer = await connection.client.PUT('/files', { params: { query }, ...bytesBody(file.bytes) })
  const draft = await writtenDraft(connection, answer.data)
  const { path, url, changed, warnings = [], dryRun: shown } = dataOf(answer)
  const isNew = shown?.created ?? answer.response.status === 201
  const outcome = changed === false ? 'unchanged' : isNew ? 'created' : 'replaced'
  if (json) return printJson({ path, outcome, url, ...(shown && { dryRun: shown }), ...toldDraft(draft) })
  for (const warning of warnings) printError(`warning: ${cell(path)}: ${cell(warning.message)}`)
  console.log([outcome, cell(path), ...(query.changeRequest === undefined ? [cell(url ?? '')] : [])].join('\t'))
  if (draft !== undefined) printDraft(connection, draft)
  if (shown !== undefined) {
    printDryRun(shown, diff === true)
    printError('Dry run: nothing was published.')
  }
}
