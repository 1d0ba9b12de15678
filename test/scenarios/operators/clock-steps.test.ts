import assert from 'node:assert/strict'
import { assertSound, git } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { type Page, put } from '../client.js'

const HOUR = 3600_000
const DAY = 24 * HOUR
/** Milliseconds that the machine's clock is off by, one after the other: set back, set ahead, and right again. */
const STEPS = [0, -HOUR, -2 * HOUR, DAY, DAY + HOUR, -HOUR, 0]
const WRITERS = 4

describe('a clock that is set back an hour and ahead a day', () => {
  let service: TestService
  let offset = 0
  const now = () => Date.now() + offset

  beforeEach(async () => {
    offset = 0
    service = await startOwnService({ clock: () => new Date(now()) })
  })
  afterEach(() => service.stop())

  /** Throws for a Last-Modified that is later than the time of the answer (RFC 9110 §8.8.2.1). */
  async function visit(path: string, html: string): Promise<void> {
    const { headers, text } = await service.visit(path).expect(200)
    assert.equal(text, html)
    const modified = headers['last-modified']
    if (modified === undefined) return
    assert.ok(Date.parse(modified) <= now(), `${modified} at ${new Date(now()).toUTCString()}`)
  }

  it("keeps a page's versions in the order in which they were written, and dates none of them in the future", async () => {
    let page: Page | undefined
    for (const [i, step] of STEPS.entries()) {
      offset = step
      page = await put(service.api(), '/page', `version ${i + 1}`)
      assert.equal(page.version.number, i + 1)
      await visit('/page', `version ${i + 1}`)
    }
    const { body } = await service.api().get(`/pages/${page?.id}/versions`).expect(200)
    const versions = body.data as { number: number }[]
    assert.deepEqual(
      versions.map(({ number }) => number),
      STEPS.map((_, i) => STEPS.length - i),
    )
    for (const [i] of STEPS.entries()) {
      const { body: answer } = await service
        .api()
        .get(`/pages/${page?.id}/versions/${i + 1}`)
        .expect(200)
      assert.equal((answer.data as { html: string }).html, `version ${i + 1}`)
    }
  })

  it('does not make the service refuse writes of pages, records, sites and keys', async () => {
    const { key } = await service.mint({ scopes: ['admin'] })
    const api = service.api(key)
    const { body } = await api.post('/collections').send({ name: 'things' }).expect(201)
    const records = `/collections/${(body.data as { id: string }).id}/records`
    const stop = new AbortController()
    let written = 0
    const write = async (writer: number) => {
      for (let i = 0; !stop.signal.aborted; i++, written++) {
        await put(api, `/${writer}`, `${i}`)
        await api.post(records).send({ data: { writer, i } }).expect(201)
      }
      return writer
    }
    const writers = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
    for (const [i, step] of STEPS.entries()) {
      offset = step
      await api
        .post('/sites')
        .send({ slug: `site-${i}` })
        .expect(201)
      await api
        .post('/keys')
        .send({ label: `Key ${i}` })
        .expect(201)
    }
    stop.abort()
    await writers
    const gitdir = service.gitdir()
    assert.ok(Number(git(gitdir, 'rev-list', '--count', '--first-parent', 'main')) > written)
    assertSound(gitdir)
  })

  it('applies a POST once when it is sent again after the step', async () => {
    const post = () => service.api().post('/pages').set('Idempotency-Key', 'once').send({ path: '/once', html: 'once' })
    const { body: first } = await post().expect(201)
    for (const step of STEPS.filter((one) => one < DAY)) {
      offset = step
      const { body: again } = await post().expect(201)
      assert.equal((again.data as Page).id, (first.data as Page).id)
    }
  })
})
