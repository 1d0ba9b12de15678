import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { anyPath, likelyPath } from '../../model/paths/arbitrary-path.js'
import { assertSound, git, withClone } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'
import { type Page, sendRaw, visit } from '../client.js'

const RUNS = 150

describe('any text as a path', () => {
  let service: TestService
  /** Every page that was accepted, by its URL. */
  let accepted: Map<string, { page: Page; html: string }>

  before(async () => {
    service = await startTestService('paths')
    const { body } = await service.api().get('/pages?path=/')
    const welcome = (body.data as Page[])[0]
    assert.ok(welcome)
    accepted = new Map([[welcome.url, { page: welcome, html: (await service.visit('/')).text }]])
  })
  after(() => service.stop())

  /** Publishes; answers the page, or undefined where the path is refused with a reason. */
  async function publish(path: string, html: string): Promise<Page | undefined> {
    const { status, body } = await service.api().post('/pages').send({ path, html })
    if (status === 201) return body.data as Page
    const { code, message, details } = body.error as { code: string; message: string; details?: unknown }
    assert.ok(message.length > 10, 'a refusal has a reason')
    if (status === 400) assert.ok(['invalid_path', 'invalid_body', 'invalid_json'].includes(code), code)
    else assert.ok(status === 409 && (code === 'page_exists' || code === 'path_conflict'), `${status} ${code}`)
    // A path is only ever taken by a page that is really there.
    if (code === 'page_exists') {
      const { id } = details as { id: string }
      assert.ok(
        [...accepted.values()].some(({ page }) => page.id === id),
        'page_exists names a page',
      )
    }
    return undefined
  }

  async function assertServed(url: string, html: string): Promise<void> {
    const { status, bytes } = await visit(service.origin, url)
    assert.deepEqual([status, bytes.toString()], [200, html], url)
  }

  it('is refused with a reason, or served at exactly one URL', async () => {
    let count = 0
    const property = fc.asyncProperty(fc.oneof(anyPath, likelyPath), async (path) => {
      const html = `<p>${count++}</p>`
      const page = await publish(path, html)
      if (page === undefined) return
      assert.ok(!accepted.has(page.url), `${page.url} has two pages`)
      accepted.set(page.url, { page, html })
      await assertServed(page.url, html)
      const read = await service.api().get(`/pages/${page.id}`)
      assert.deepEqual([read.body.data.html, read.body.data.path, read.body.data.url], [html, page.path, page.url])
      const byPath = await service.api().get('/pages').query({ path: page.path })
      assert.deepEqual(
        byPath.body.data.map(({ id }: Page) => id),
        [page.id],
      )
      assert.equal(await publish(page.path, 'again'), undefined)
    })
    await fc.assert(property, { numRuns: RUNS })
    assert.ok(accepted.size > RUNS / 5, `only ${accepted.size} were accepted`)
  })

  it('makes no other page unreachable', async () => {
    for (const [url, { html }] of accepted) await assertServed(url, html)
    const { body } = await service.api().get('/pages?limit=1000')
    const listed = new Set((body.data as Page[]).map(({ url }) => url))
    for (const url of accepted.keys()) assert.ok(listed.has(url), url)
  })

  it('makes no tree that git complains of, and a clone checks out with every file', async () => {
    assertSound(service.gitdir())
    await withClone(service.gitdir(), (clone) => {
      const files = git(clone, '-c', 'core.quotePath=false', 'ls-files', '-z').split('\0').filter(Boolean)
      for (const file of files) assert.ok(existsSync(join(clone, file)), file)
      const contents = new Set(
        files.filter((file) => file.endsWith('.html')).map((file) => readFileSync(join(clone, file), 'utf8')),
      )
      for (const { html, page } of accepted.values()) assert.ok(contents.has(html), page.path)
      assert.equal(git(clone, 'status', '--porcelain'), '')
    })
  })

  /** Another spelling leads to the one URL of a page: of the one that the API knows by it, if any. */
  function assertLeadsToPage(answer: string, page: Page | undefined): void {
    const [, location = ''] = /^location: (.*)\r$/im.exec(answer) ?? []
    const found = [...accepted.values()].find(({ page: { url } }) => new URL(url).pathname === location)
    assert.ok(found, `${location} is no page`)
    if (page !== undefined) assert.equal(found.page.id, page.id)
  }

  /** The host must serve for a request target the page that the API finds by the same text. */
  async function assertSamePage(target: string): Promise<void> {
    const { status, text } = await sendRaw(
      service.server.port,
      `GET ${target} HTTP/1.1\r\nHost: paths.localhost\r\nConnection: close\r\n\r\n`,
    )
    assert.ok([200, 308, 404].includes(status), `${target}: ${status}`)
    const known = await service.api().get('/pages').query({ path: target })
    const [page] = known.status === 200 ? (known.body.data as Page[]) : []
    if (status === 308) return assertLeadsToPage(text, page)
    assert.equal(status, page === undefined ? 404 : 200, `${target} is ${page?.path}`)
    if (page !== undefined) assert.ok(text.endsWith(accepted.get(page.url)?.html ?? 'an accepted page'), target)
  }

  it('names the same page for visitors as for the API, in any spelling of its URL', async () => {
    for (const url of accepted.keys()) {
      const { pathname } = new URL(url)
      const decomposed = encodeURI(decodeURI(pathname).normalize('NFD'))
      const twice = pathname.replaceAll('%', '%25')
      const spellings = [
        `${pathname}.html`,
        `${pathname}/`,
        `${pathname}/index.html`,
        `${pathname}index`,
        decomposed,
        twice,
      ]
      for (const target of new Set([...spellings, pathname.toUpperCase()])) {
        if (target.length < 2048) await assertSamePage(target)
      }
    }
  })

  it('names, as a request target, only pages that the API finds by it', async () => {
    const property = fc.asyncProperty(fc.oneof(anyPath, likelyPath), async (path) => {
      // Only characters that a request line may hold, without a query.
      const printable = path
        .toWellFormed()
        .replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent)
        .replaceAll(/[?#]/g, '')
      await assertSamePage(`/${printable.replace(/^\//, '')}`)
    })
    await fc.assert(property, { numRuns: RUNS })
  })
})
