// `palimpsest publish`: publishes a file or a folder of files as pages.

import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { type AuthorOptions, connect, forAuthors } from '../connection/connection.js'
import { type DryRun, printDryRuns } from './dry-run.js'
import { Unusable } from '../connection/explain.js'
import { type LocalPage, pagesOfFolder, pathOfFile } from './local-pages.js'
import { Report } from './report.js'
import { inParts, type Outcome, type Page, sendPages } from './send-pages.js'

interface Options extends AuthorOptions {
  path?: string
  message?: string
  dryRun?: true
  diff?: true
}

export function addPublish(program: Command): void {
  forAuthors(program.command('publish <source>'))
    .description('publish a file, or all .html files of a folder, as pages; - is standard input')
    .option('--path <path>', "the page's path; for a folder: the path that its pages are below")
    .option('--message <text>', 'the reason, recorded in the history')
    .option('--dry-run', 'publish nothing: show what would be done, with a preview')
    .addOption(new Option('--diff', 'a dry run that also shows the differences').implies({ dryRun: true }))
    .action(publish)
}

async function publish(source: string, options: Options): Promise<void> {
  const files = findPages(source, options.path)
  const input = source === '-' ? await buffer(process.stdin) : undefined
  const connection = await connect(options)
  const dryRun = options.dryRun === true
  const title = dryRun ? `Trying ${source}` : `Publishing ${source}`
  const report = new Report<Outcome>(title, files.length, ['created', 'replaced', 'unchanged'], options)
  const shown: DryRun[] = []
  try {
    for (const part of inParts(readPages(files, input, report))) {
      const sent = await sendPages(connection, part, { reason: options.message, dryRun })
      for (const entry of sent.entries) report.add(entry)
      shown.push(...sent.shown)
    }
  } finally {
    report.close(dryRun ? { dryRuns: shown } : {})
  }
  if (dryRun && !options.json) printDryRuns(shown, options)
}

function findPages(source: string, path: string | undefined): LocalPage[] {
  if (source === '-') {
    if (path === undefined) throw new Unusable('Standard input needs a path: --path /about.')
    return [{ file: source, path }]
  }
  const stat = statSync(source, { throwIfNoEntry: false })
  if (stat === undefined) throw new Unusable(`There is no ${source}.`)
  if (!stat.isDirectory()) return [{ file: source, path: path ?? pathOfOneFile(source) }]
  const { pages, others } = pagesOfFolder(source, path ?? '')
  if (pages.length === 0) throw new Unusable(`There is no .html file in ${source}.`)
  if (others > 0) console.error(`${others} other files are not published: use "git push" for assets.`)
  return pages
}

function pathOfOneFile(file: string): string {
  if (file.endsWith('.html')) return pathOfFile(basename(file))
  throw new Unusable(
    `${file} does not end in .html: give its path with --path /about, or publish assets with "git push".`,
  )
}

/** Reads one file at a time, so that a large folder is never in memory. Files that cannot be pages go to the report. */
function* readPages(
  files: readonly LocalPage[],
  input: Uint8Array | undefined,
  report: Report<Outcome>,
): Generator<Page, void, undefined> {
  for (const { file, path } of files) {
    const bytes = input ?? readFileSync(file)
    if (bytes.length === 0) report.add({ path, outcome: 'failed', message: `${file} is empty` })
    else if (!isUtf8(bytes)) report.add({ path, outcome: 'failed', message: `${file} is not UTF-8: save it as UTF-8` })
    else yield { path, html: Buffer.from(bytes).toString() }
  }
}
