import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertSound, git } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { type Answers, gatherAnswers } from '../answers.js'
import { put } from '../client.js'
import { liveIn } from './lived-in-site.js'
import { runPalimpsest } from '../serve-process.js'

/** Another service's signature proves neither who made a commit nor the page that it names. */
const withoutProof = (commit: object) => ({ ...commit, maker: undefined, page: undefined, verified: 'other' })

describe('a clone of a site, imported into another service', () => {
  let folder: string
  let first: TestService
  let second: TestService
  let answers: Answers

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-clones-'))
    first = await startOwnService({ env: { BASE_URL: 'http://localhost:8080' } })
    await liveIn(first)
    answers = await gatherAnswers(first.api(), first.site.id)
    git(folder, 'clone', '--quiet', '--bare', first.gitdir(), 'clone.git')
    git(first.gitdir(), 'bundle', 'create', '--quiet', join(folder, 'site.bundle'), 'main')
  })
  after(async () => {
    await first.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    second = await startOwnService({ env: { BASE_URL: 'http://localhost:8080' } })
  })
  afterEach(() => second.stop())

  /** Imports by the command line while the service runs; returns the site's id. */
  const importSite = async (source: string, ...options: string[]) => {
    const command = ['sites', 'import', 'copy', join(folder, source), ...options]
    const { code, stdout, stderr } = await runPalimpsest({ DATA_DIR: second.dataDir }, ...command)
    assert.equal(code, 0, stderr)
    return stdout.trim()
  }
  /** The first service's answers, with the address of the copy, and without what only that service's signatures prove. */
  const expected = () => {
    const text = JSON.stringify(answers, (_, value) => (value?.verified === 'service' ? withoutProof(value) : value))
    return JSON.parse(text.replaceAll('"url":"http://demo.', '"url":"http://copy.'))
  }
  const gathered = async (siteId: string) => JSON.parse(JSON.stringify(await gatherAnswers(second.api(), siteId)))

  for (const source of ['clone.git', 'site.bundle']) {
    it(`has the same ids, titles, versions and records: ${source}`, async () => {
      const siteId = await importSite(source)
      assert.equal(siteId, first.site.id)
      assert.deepEqual(await gathered(siteId), expected())
      assertSound(second.gitdir('copy'))
    })
  }

  it('can become the default site, and takes writes and pushes', async () => {
    const siteId = await importSite('clone.git', '--default')
    const { body } = await second.api().get('/pages?path=/about')
    assert.equal(body.data[0].siteId, siteId)
    const page = await put(second.api(), '/about', 'written on the copy')
    assert.equal(page.id, body.data[0].id)
    assert.equal((await second.visit('/about', 'copy')).text, 'written on the copy')
    assert.equal(git(second.gitdir('copy'), 'config', 'core.hooksPath'), join(second.gitdir('copy'), 'hooks'))
  })
})
