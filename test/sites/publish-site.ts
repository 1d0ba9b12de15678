// One site's way: published by the command line, crawled, looked at, pushed to a second site, published again unchanged, and with three
// other files.

import { appendFileSync, copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesOfFolder } from '../../src/protocols/client/node/folder.js'
import { MAIN, run } from '../scenarios/serve-process.js'
import { browse } from './browse.js'
import { crawl, isInFolder } from './crawl.js'
import type { BuiltSite, Ground } from './program.js'
import { compareSites, pushSite } from './push-site.js'
import { Visitor } from './visitor.js'

const LIMIT_MS = 600_000
const CHANGED_FILES = 3

/** The cells of the site's row in the table: ROW names them. Lines about faults go to `complain`. */
export async function publishSite(
  { service, key, browser, folder }: Ground,
  slug: string,
  built: BuiltSite,
  complain: (fault: string) => void,
): Promise<string[]> {
  await service.api(key).post('/sites').send({ slug }).expect(201)
  const env = { PATH: process.env['PATH'], HOME: folder, BASE_URL: service.origin, SERVICE_API_TOKEN: key }
  const publish = async (from: string): Promise<Outcome> => {
    const args = [MAIN, 'publish', from, '--site', slug, '--delete', ...built.options]
    const started = performance.now()
    const { code, stderr } = await run(process.execPath, args, { env, timeout: LIMIT_MS })
    if (code !== 0) throw new Error(`palimpsest publish ended with ${code}: ${stderr}`)
    return { seconds: (performance.now() - started) / 1000, ...readSummary(stderr) }
  }
  const { files } = filesOfFolder(built.folder, { followLinks: true })
  const first = await publish(built.folder)
  if (first.created !== files.length) complain(`${first.created} of ${files.length} files were created`)

  const visitor = new Visitor(service.port, slug)
  const crawled = await crawl(built.folder, visitor)
  visitor.close()
  for (const fault of crawled.faults) complain(fault)
  const pages = files.flatMap(({ name }) => (name.endsWith('.html') ? [addressOf(name)] : []))
  const names = new Set(files.map(({ name }) => name))
  const browsed = browser && (await browse(browser, visitor.host, pages, (path) => isInFolder(names, path)))
  for (const complaint of browsed?.complaints ?? []) complain(complaint)

  await pushSite({ service, key, folder }, `${slug}-pushed`, files)
  const compared = await compareSites(service.port, [slug, `${slug}-pushed`], files)
  for (const fault of compared.faults) complain(fault)

  const again = await publish(built.folder)
  if (again.sent + again.created + again.replaced + again.removed > 0) complain(`again: ${JSON.stringify(again)}`)
  const changed = await publish(changeFiles(built.folder, join(folder, 'changed')))
  if (changed.sent !== CHANGED_FILES || changed.replaced !== CHANGED_FILES || changed.created + changed.removed > 0)
    complain(`with ${CHANGED_FILES} files changed: ${JSON.stringify(changed)}`)
  return [
    slug,
    String(files.length),
    first.bytes,
    ...[first, again, changed].map(({ seconds }) => seconds.toFixed(1)),
    String(crawled.references),
    String(crawled.missing.length),
    String(compared.urls),
    String(browsed?.pages ?? 'no Chromium'),
    String(crawled.faults.length + compared.faults.length + (browsed?.complaints.length ?? 0)),
  ]
}

export const ROW = [
  'site',
  'files',
  'sent',
  'first, s',
  'again, s',
  '3 changed, s',
  'references that answer',
  'to what the folder lacks',
  'URLs, published and pushed',
  'pages in Chromium',
  'faults',
]

/** Returns the address as links have it: the scripts of Docusaurus count `/index.html` as another page, on every server. */
function addressOf(name: string): string {
  return `/${encodeURI(name).replace(/(?<=^|\/)index\.html$/, '')}`
}

interface Outcome {
  seconds: number
  sent: number
  /** The text that the command prints. */
  bytes: string
  created: number
  replaced: number
  removed: number
}

function readSummary(said: string): Omit<Outcome, 'seconds'> {
  const [, sent = '0', bytes = ''] = /^sent \d+ of (\d+) files, .* of (.*)$/m.exec(said) ?? []
  const [, created, replaced, removed] =
    /^created (\d+), replaced (\d+), unchanged \d+, removed (\d+)$/m.exec(said) ?? []
  return { sent: Number(sent), bytes, created: Number(created), replaced: Number(replaced), removed: Number(removed) }
}

/** A copy of the folder, without links, with some other bytes in three of its pages. */
function changeFiles(folder: string, copy: string): string {
  const { files } = filesOfFolder(folder, { followLinks: true })
  for (const { name, file } of files) {
    mkdirSync(dirname(join(copy, name)), { recursive: true })
    copyFileSync(file, join(copy, name))
  }
  const pages = files.filter(({ name }) => name.endsWith('.html'))
  for (const { name } of pages.slice(-CHANGED_FILES)) appendFileSync(join(copy, name), `<!-- changed: ${name} -->\n`)
  return copy
}
