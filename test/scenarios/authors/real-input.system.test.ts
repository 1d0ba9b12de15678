import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertSound, git, withClone } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { type Page, put, visit } from '../client.js'

/** git's manual as HTML, from Debian's package git-doc: hundreds of linked pages that real people read. */
const MANUAL = '/usr/share/doc/git/html/'
const AT_ONCE = 8

describe("publishing git's manual", () => {
  let service: TestService
  let files: string[]

  before(async () => {
    assert.ok(existsSync(MANUAL), `${MANUAL} is not there: apt-get install git-doc`)
    files = readdirSync(MANUAL, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'))
    service = await startOwnService()
  })
  after(() => service?.stop())

  const html = (file: string) => readFileSync(join(MANUAL, file))

  /** Every file through the API, several at once. */
  async function publishAll(): Promise<Map<string, Page>> {
    const pages = new Map<string, Page>()
    const waiting = files.values()
    const worker = async () => {
      for (const file of waiting) pages.set(file, await put(service.api(), `/${file}`, html(file)))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    return pages
  }

  it('serves every page byte for byte, changes nothing the second time, and clones to the same files', async () => {
    assert.ok(files.length > 100)
    const pages = await publishAll()
    for (const [file, { url }] of pages) {
      const { status, bytes } = await visit(service.origin, url)
      assert.equal(status, 200, url)
      assert.ok(bytes.equals(html(file)), `${url} is not ${file}`)
    }

    const head = git(service.gitdir(), 'rev-parse', 'main')
    const again = await publishAll()
    assert.equal(git(service.gitdir(), 'rev-parse', 'main'), head)
    for (const [file, page] of again) assert.deepEqual(page, { ...pages.get(file), changed: false })

    assertSound(service.gitdir())
    await withClone(service.gitdir(), (clone) => {
      for (const file of files) assert.ok(readFileSync(join(clone, file)).equals(html(file)), file)
      const cloned = readdirSync(clone, { recursive: true, encoding: 'utf8' })
      const published = cloned.filter((file) => file.endsWith('.html') && !file.startsWith('.git/'))
      const welcome = files.includes('index.html') ? [] : ['index.html']
      assert.deepEqual(published.toSorted(), [...files, ...welcome].toSorted())
    })
  })

  it('keeps the links between the pages', async () => {
    const start = html('git.html').toString()
    const named = Array.from(start.matchAll(/href="([\w-]+\.html)/g), ([, link]) => link ?? '')
    // The package links to pages that it does not install.
    const links = new Set(named.filter((link) => files.includes(link)))
    assert.ok(links.size > 50)
    for (const link of links) {
      const { status, bytes } = await visit(service.origin, `http://demo.localhost/${link}`)
      assert.equal(status, 200, link)
      assert.ok(bytes.equals(html(link)), link)
    }
  })
})
