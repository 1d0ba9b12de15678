import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Answer, askInTurn, importCommand } from '../../protocols/host/hosting.js'
import { startTestService, type TestService } from '../../support/service.js'
import { CLOUDFLARE } from './cloudflare.js'
import type { Example, Row } from './example.js'
import { NETLIFY } from './netlify.js'
import { NETLIFY_REASONS } from './netlify-differences.js'
import { git } from '../../support/git.js'
import { until } from '../../support/within.js'

const DOCUMENT = fileURLToPath(new URL('../../../../docs/hosting.md', import.meta.url))
const EXAMPLES: readonly Example[] = [...NETLIFY, ...CLOUDFLARE]

describe('the documented examples of other hosts', () => {
  let service: TestService
  let adminKey: string
  let siteIds: string[]
  const slugOf = (at: number) => `example-${at}`

  /** Its id. Committed to its repository, which takes less time than a push, of which other tests are. */
  async function makeSite(slug: string, example: Example): Promise<string> {
    const { body } = await service.api(adminKey).post('/sites').send({ slug }).expect(201)
    await commit(service.gitdir(slug), example)
    return (body as { data: { id: string } }).data.id
  }

  /** Waits until the service sees the main that git sees. */
  async function untilSeen(slug: string): Promise<void> {
    const main = git(service.gitdir(slug), 'rev-parse', 'main')
    const site = service.server.service.services.catalog.sites.findBySlug(slug)
    if (site === undefined) throw new Error(`there is no ${slug}`)
    await until(
      () => service.server.service.services.store.reader.snapshot(site).commit,
      (seen) => seen === main,
    )
  }

  before(async () => {
    service = await startTestService()
    adminKey = (await service.mint({ scopes: ['admin'] })).key
    siteIds = await Promise.all(EXAMPLES.map((example, at) => makeSite(slugOf(at), example)))
    await Promise.all(EXAMPLES.map((_, at) => untilSeen(slugOf(at))))
  })
  after(() => service.stop())

  for (const [at, { rows, wrong = [] }] of EXAMPLES.entries()) {
    for (const [source, ofSource] of Object.entries(rows)) {
      describe(`at ${source}`, () => {
        for (const row of ofSource) {
          const [target, answer, more] = row
          it(nameOf(row), async () => {
            const asked = { method: 'GET', target, headers: more?.asked ?? {} }
            const [given] = await askInTurn(service.server.port, `${slugOf(at)}.localhost`, [asked])
            assert.ok(given)
            assert.equal(show(given), answer)
            for (const [name, value] of Object.entries(more?.fields ?? {})) assertField(given, name, value)
          })
        }
      })
    }

    it(`names the skipped lines of ${slugOf(at)}: ${wrong.length === 0 ? 'none' : wrong.length}`, async () => {
      const { body } = await service.api(adminKey).get(`/sites/${siteIds[at]}/checks`).expect(200)
      const { findings } = (body as { data: { findings: { code: string; path: string; message: string }[] } }).data
      const named = findings
        .filter(({ code }) => code === 'invalid_redirect' || code === 'invalid_header')
        .map(({ path, message }) => `${path}:${/^Line (\d+) is skipped/.exec(message)?.[1]}`)
      assert.deepEqual(named, wrong)
    })
  }

  it('have, with the rules of 50 sites, exactly the exceptions that docs/hosting.md lists', () => {
    const rows = EXAMPLES.flatMap((example) => Object.values(example.rows).flat())
    const reasons = rows.flatMap(([, , more]) => more?.because ?? [])
    assert.deepEqual(new Set([...reasons, ...NETLIFY_REASONS]), new Set(documentedDifferences()))
  })
})

function nameOf([target, answer, more]: Row): string {
  const asked = Object.entries(more?.asked ?? {}).map(([name, value]) => ` with ${name}: ${value}`)
  const fields = Object.keys(more?.fields ?? {}).slice(0, 3)
  const said = fields.length === 0 ? '' : `, and what it says as ${fields.join(', ')}`
  const other = more?.there === undefined ? '' : ` (there ${short(more.there)})`
  return `${short(target)}${asked.join('')} is ${short(answer)}${said}${other}`
}

function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** The answer in the form of the rows: each served file holds its own name. */
function show({ status, headers, body }: Answer): string {
  if (headers['location'] !== undefined) return `${status} ${headers['location']}`
  const isOfTheSite = headers['content-encoding'] === undefined && !body.subarray(0, 9).equals(Buffer.from('<!doctype'))
  return `${status} ${isOfTheSite ? body.toString() : ''}`.trim()
}

/** A field that every answer has counts as absent if the site has not set it. */
function assertField({ headers }: Answer, name: string, value: string | undefined): void {
  if (value === undefined && /^(?:date|connection)$/.test(name))
    return assert.doesNotMatch(headers[name] ?? '', /1994|upgrade/)
  assert.equal(headers[name], value, name)
}

/** The first column of the table. */
function documentedDifferences(): string[] {
  const [, section = ''] = readFileSync(DOCUMENT, 'utf8').split('## What differs from Netlify and Cloudflare\n')
  const [table = ''] = section.split('\n## ')
  const [, , ...rows] = table.split('\n').filter((line) => line.startsWith('|'))
  return rows.map((row) => row.split(' | ', 1)[0]?.slice(2) ?? '')
}

/** Adds a commit to the existing files. */
async function commit(gitdir: string, { files = [], texts = {}, redirects, headers }: Example): Promise<void> {
  const contents = {
    ...Object.fromEntries(files.map((file) => [file, file])),
    ...texts,
    ...(redirects !== undefined && { _redirects: redirects }),
    ...(headers !== undefined && { _headers: headers }),
  }
  const commands = [
    'commit refs/heads/main\ncommitter Ann <ann@example.test> 1700000100 +0000\ndata 7\nExample\nfrom refs/heads/main^0\n',
    ...Object.entries(contents).flatMap(([path, content]) => importCommand(path, content)),
  ]
  const importer = spawn('git', ['-C', gitdir, 'fast-import', '--quiet'], { stdio: ['pipe', 'ignore', 'inherit'] })
  importer.stdin.end(Buffer.concat(commands.map((command) => Buffer.from(command))))
  const [code] = (await once(importer, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`)
}
