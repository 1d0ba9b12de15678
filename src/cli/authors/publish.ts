// `palimpsest publish`: a file, or a folder of files, as pages.

import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Command } from 'commander'
import { type AuthorOptions, connect, forAuthors } from './connection.js'
import { Unusable } from './explain.js'
import { foreseePages } from './foresee-pages.js'
import { type LocalPage, pagesOfFolder, pathOfFile } from './local-pages.js'
import { Report } from './report.js'
import { inParts, type Outcome, type Page, sendPages } from './send-pages.js'

interface Options extends AuthorOptions {
  path?: string
  message?: string
  dryRun?: true
}

export function addPublish(program: Command): void {
  forAuthors(program.command('publish <source>'))
    .description('publish a file, or all .html files of a folder, as pages; - is standard input')
    .option('--path <path>', "the page's path; for a folder: what its pages are below")
    .option('--message <text>', 'why; kept in the history')
    .option('--dry-run', 'say what would be created and replaced, and change nothing')
    .action(publish)
}

async function publish(source: string, options: Options): Promise<void> {
  const files = findPages(source, options.path)
  const input = source === '-' ? await buffer(process.stdin) : undefined
  const connection = await connect(options)
  const title = options.dryRun ? `Comparing ${source}` : `Publishing ${source}`
  const report = new Report<Outcome>(title, files.length, ['created', 'replaced', 'unchanged'], options)
  try {
    for (const part of inParts(readPages(files, input, report))) {
      const entries = options.dryRun
        ? await foreseePages(connection, part)
        : await sendPages(connection, part, options.message)
      for (const entry of entries) report.add(entry)
    }
  } finally {
    report.close()
  }
}

function findPages(source: string, path: string | undefined): LocalPage[] {
  if (source === '-') {
    if (path === undefined) throw new Unusable('Say where standard input is to be published: --path /about.')
    return [{ file: source, path }]
  }
  const stat = statSync(source, { throwIfNoEntry: false })
  if (stat === undefined) throw new Unusable(`There is no ${source}.`)
  if (!stat.isDirectory()) return [{ file: source, path: path ?? pathOfOneFile(source) }]
  const { pages, others } = pagesOfFolder(source, path ?? '')
  if (pages.length === 0) throw new Unusable(`There is no .html file in ${source}.`)
  if (others > 0) console.error(`${others} other files are left out: assets are published with "git push".`)
  return pages
}

function pathOfOneFile(file: string): string {
  if (file.endsWith('.html')) return pathOfFile(basename(file))
  throw new Unusable(`${file} does not end in .html: say where it is to be published, with --path /about.`)
}

/** One after the other, so that a large folder is never in memory as a whole. What is no page goes to the report. */
function* readPages(
  files: readonly LocalPage[],
  input: Uint8Array | undefined,
  report: Report<Outcome>,
): Generator<Page, void, undefined> {
  for (const { file, path } of files) {
    const bytes = input ?? readFileSync(file)
    if (bytes.length === 0) report.add({ path, outcome: 'failed', message: `${file} is empty` })
    else if (!isUtf8(bytes)) report.add({ path, outcome: 'failed', message: `${file} is not UTF-8: save it so` })
    else yield { path, html: Buffer.from(bytes).toString() }
  }
}
