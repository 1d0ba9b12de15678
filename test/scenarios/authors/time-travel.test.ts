import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type supertest from 'supertest'
import { git, withClone } from '../../support/git.js'
import { PATIENCE_MS, within } from '../../support/within.js'
import { readSlicesByQuery } from '../../support/read-slices.js'
import { startOwnService, type TestService } from '../../support/service.js'

const DAY = 24 * 60 * 60 * 1000

describe("a site's past", () => {
  let service: TestService
  let now = Date.parse('2026-11-21T10:00:00Z')
  /** The commits after each step of its history, oldest first. */
  let first: string, second: string, third: string

  const head = () => git(service.gitdir(), 'rev-parse', 'main')
  const untilRead = () =>
    within(PATIENCE_MS, () =>
      assert.equal(service.server.service.services.store.reader.snapshot(service.site).commit, head()),
    )
  const publish = async (path: string, html: string) => {
    now += DAY
    await service.api().put(`/pages?path=${path}`).send({ html })
    return head()
  }
  const share = async (body: object) => {
    const { body: answer } = await service.api().post(`/sites/${service.site.id}/links`).send(body).expect(201)
    return (answer as { data: { id: string; url: string; expiresAt: string } }).data
  }
  const labelOf = (url: string) => new URL(url).hostname.split('.', 1)[0] ?? ''
  const makePublic = async (publicHistory: boolean) => {
    const { key } = await service.mint({ scopes: ['admin'] })
    const path = `/sites/${service.site.id}`
    const { body } = await service.api(key).patch(path).send({ publicHistory }).expect(200)
    assert.equal((body as { data: { publicHistory: boolean } }).data.publicHistory, publicHistory)
  }
  const values = (answer: supertest.Response, ...names: string[]) =>
    names.map((name) => (answer.headers as Record<string, string | undefined>)[name])

  before(async () => {
    service = await startOwnService({ clock: () => new Date(now) })
    first = await publish('/about', 'first')
    second = await publish('/about', 'second')
    await publish('/secret', 'for a day')
    const { body } = await service.api().get('/pages?path=/secret').expect(200)
    const [page] = (body as { data: { id: string }[] }).data
    now += DAY
    await service.api().delete(`/pages/${page?.id}`).expect(200)
    third = head()
  })
  after(() => service.stop())

  it('is hidden without a link while the history is not public', async () => {
    await service.visit('/about', `${first.slice(0, 20)}--demo`).expect(404)
    const answer = await service.visit('/about').set('Accept-Datetime', 'Fri, 20 Nov 2026 10:00:00 GMT').expect(200)
    assert.deepEqual(
      [answer.text, ...values(answer, 'vary', 'x-git-commit', 'link')],
      ['second', undefined, undefined, undefined],
    )
  })

  describe('with public history', () => {
    before(() => makePublic(true))
    after(() => makePublic(false))

    it('is served at the first 7 to 20 digits of a commit, with its date and original, and hidden from search engines', async () => {
      for (const digits of [7, 12, 20]) {
        const answer = await service.visit('/about?x=1', `${first.slice(0, digits)}--demo`).expect(200, 'first')
        assert.deepEqual(values(answer, 'x-robots-tag', 'memento-datetime', 'x-git-commit', 'link'), [
          'noindex',
          'Sun, 22 Nov 2026 10:00:00 GMT',
          first,
          `<http://demo.localhost:${service.server.port}/about?x=1>; rel="original timegate"`,
        ])
      }
      await service.visit('/about', `${second.slice(0, 20)}--demo`).expect(200, 'second')
      const label = `${first.slice(0, 20)}--demo`
      const date = 'Sun, 22 Nov 2026 10:00:00 GMT'
      assert.deepEqual(values(await service.visit('/about', label), 'last-modified'), [date])
      await service.visit('/about', label).set('If-Modified-Since', date).expect(304)
      await service.visit('/nothing', `${first.slice(0, 20)}--demo`).expect(404)
    })

    it('is not served at another label: 6 or 21 digits, other commits, other sites, objects that are not commits', async () => {
      const tree = git(service.gitdir(), 'rev-parse', `${first}^{tree}`)
      const orphan = git(service.gitdir(), 'commit-tree', '-m', 'On no branch', tree)
      const labels = [
        first.slice(0, 6),
        first.slice(0, 21),
        first.slice(0, 7).replace(/./g, '0'),
        first.slice(0, 7).toUpperCase().concat('g'),
        orphan.slice(0, 20),
        tree.slice(0, 20),
      ]
      for (const commit of labels) await service.visit('/about', `${commit}--demo`).expect(404)
      for (const label of [`${first.slice(0, 20)}--other`, `--demo`, `${first.slice(0, 20)}--`]) {
        await service.visit('/about', label).expect((answer) => assert.ok([400, 404].includes(answer.status), label))
      }
    })

    it('answers 410 for a page that was unpublished later, also once its path is published again', async () => {
      const [shown] = git(service.gitdir(), 'log', '--format=%H', '-1', `${third}^`).split('\n')
      await service.visit('/secret', `${shown?.slice(0, 20)}--demo`).expect(410)
      await publish('/secret', 'again')
      await service.visit('/secret', `${shown?.slice(0, 20)}--demo`).expect(410)
      await service.visit('/secret', `${head().slice(0, 20)}--demo`).expect(200, 'again')
    })

    it('answers 410 for a file that a push removed later, also once a push adds another one at its path', async () => {
      const push = async (change: (folder: string) => void) => {
        process.env['GIT_COMMITTER_DATE'] = new Date(now).toISOString()
        await withClone(service.gitdir(), (folder) => {
          change(folder)
          git(folder, 'add', '--all')
          git(folder, 'commit', '--quiet', '-m', 'Push')
          git(folder, 'push', '--quiet')
        }).finally(() => delete process.env['GIT_COMMITTER_DATE'])
        await untilRead()
        return head()
      }
      const leaked = await push((folder) => writeFileSync(join(folder, 'key.txt'), 'secret'))
      await service.visit('/key.txt', `${leaked.slice(0, 20)}--demo`).expect(200, 'secret')
      await push((folder) => rmSync(join(folder, 'key.txt')))
      await push((folder) => writeFileSync(join(folder, 'key.txt'), 'public'))
      // Both before and after the index has the commits.
      await service.visit('/key.txt', `${leaked.slice(0, 20)}--demo`).expect(410)
      await service.api().get('/pages').expect(200)
      await service.visit('/key.txt?again', `${leaked.slice(0, 20)}--demo`).expect(410)
    })

    it('answers 410 for a withdrawn version on every host of the past, at once, and a key still reads it', async () => {
      const leaked = await publish('/numbers', 'confidential')
      const copied = await publish('/copy', 'confidential')
      const fixed = await publish('/numbers', 'public figures')
      await publish('/copy', 'public too')
      const at = (commit: string) => `${commit.slice(0, 20)}--demo`
      const { url } = await share({ commit: leaked })
      const entry = await service.visit(new URL(url).pathname, labelOf(url)).expect(302)
      const cookie = entry.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? ''
      const throughLink = () => service.visit('/numbers', labelOf(url)).set('Cookie', cookie)
      await service.visit('/numbers', at(leaked)).expect(200, 'confidential')
      await throughLink().expect(200, 'confidential')
      const { body } = await service.api().get('/pages?path=/numbers').expect(200)
      const id = (body as { data: { id: string }[] }).data[0]?.id
      const version = `/pages/${id}/versions/1`
      const withdrawn = await service.api().post(`${version}/withdraw`).expect(200)
      assert.equal((withdrawn.body as { data: { withdrawn?: true } }).data.withdrawn, true)
      await service.visit('/numbers', at(leaked)).expect(410)
      await throughLink().expect(410)
      await service.visit('/copy', at(copied)).expect(410)
      await service.visit('/numbers', at(fixed)).expect(200, 'public figures')
      assert.equal((await service.api().get(version).expect(200)).body.data.html, 'confidential')
      assert.equal((await service.api().get(`/pages/${id}/versions`)).body.data.at(-1).withdrawn, true)
      await service.api().post(`/pages/${id}/rollback`).send({ version: 1 }).expect(409)
    })

    it('does not let the current html be withdrawn, nor any version by a read-only key', async () => {
      const { body } = await service.api().get('/pages?path=/about').expect(200)
      const [page] = (body as { data: { id: string; version: { number: number } }[] }).data
      await service.api().post(`/pages/${page?.id}/versions/${page?.version.number}/withdraw`).expect(409)
      const { key } = await service.mint({ scopes: ['read'] })
      await service.api(key).post(`/pages/${page?.id}/versions/1/withdraw`).expect(403)
    })

    it('shows a pushed commit before any API read has seen it', async () => {
      process.env['GIT_COMMITTER_DATE'] = new Date(now).toISOString()
      await withClone(service.gitdir(), (folder) => {
        writeFileSync(join(folder, 'pushed.html'), 'pushed')
        git(folder, 'add', '.')
        git(folder, 'commit', '--quiet', '-m', 'Push')
        git(folder, 'push', '--quiet')
      }).finally(() => delete process.env['GIT_COMMITTER_DATE'])
      await untilRead()
      await service.visit('/pushed', `${head().slice(0, 20)}--demo`).expect(200, 'pushed')
    })

    it('is found by date on the host of the site', async () => {
      const ask = (date: string) => service.visit('/about?q=%22').set('Accept-Datetime', date)
      const at = (commit: string) => `http://${commit.slice(0, 20)}--demo.localhost:${service.server.port}/about?q=%22`
      const answer = await ask('Sun, 22 Nov 2026 23:00:00 GMT').expect(302)
      assert.deepEqual(values(answer, 'location', 'vary', 'link'), [
        at(first),
        'Accept-Datetime',
        `<http://demo.localhost:${service.server.port}/about?q=%22>; rel="original timegate"`,
      ])
      await ask('Mon, 23 Nov 2026 10:00:00 GMT').expect('location', at(second))
      const [oldest = ''] = git(service.gitdir(), 'rev-list', '--max-parents=0', 'main').split('\n')
      await ask('Mon, 01 Jan 1990 00:00:00 GMT').expect('location', at(oldest))
      await ask('Thu, 01 Jan 2099 00:00:00 GMT').expect('location', at(head()))
      for (const wrong of ['yesterday', 'Sat, 22 Nov 2026 23:00:00 GMT', '2026-11-22T23:00:00Z', '']) {
        await ask(wrong).expect(400)
      }
      assert.deepEqual(values(await service.visit('/about').expect(200), 'vary', 'x-git-commit'), [
        'Accept-Datetime',
        head(),
      ])
    })
  })

  describe('behind a link', () => {
    const links = () => `/sites/${service.site.id}/links`
    /** The answer to the link's URL with a path after it: a cookie for its host. */
    const enter = async (url: string, path: string) => {
      const answer = await service.visit(`${new URL(url).pathname}${path}`, labelOf(url))
      const [cookie = ''] = answer.headers['set-cookie'] ?? []
      return { answer, cookie: cookie.split(';', 1)[0] ?? '' }
    }
    const visitWith = (cookie: string, url: string, path: string) =>
      service.visit(path, labelOf(url)).set('Cookie', cookie)

    it('is served as a whole on one host, with a cookie for the secret in its URL, until the link expires', async () => {
      const { url, expiresAt } = await share({ commit: first, expiresIn: 3600 })
      assert.equal(expiresAt, new Date(now + 3_600_000).toISOString().replace('.000Z', 'Z'))
      assert.ok(labelOf(url).length <= 63)
      const { answer: entry, cookie } = await enter(url, 'about?x=1')
      assert.deepEqual(
        [entry.status, ...values(entry, 'location', 'cache-control', 'referrer-policy')],
        [302, '/about?x=1', 'no-store', 'no-referrer'],
      )
      assert.match(entry.headers['set-cookie']?.[0] ?? '', /; Path=\/; Expires=[^;]* GMT; HttpOnly; SameSite=Lax$/)
      const answer = await visitWith(cookie, url, '/about').expect(200, 'first')
      const names = ['x-robots-tag', 'referrer-policy', 'x-git-commit', 'memento-datetime', 'cache-control']
      assert.deepEqual(values(answer, ...names), [
        'noindex',
        'same-origin',
        undefined,
        'Sun, 22 Nov 2026 10:00:00 GMT',
        'private, no-store',
      ])
      now += 3_600_000
      await visitWith(cookie, url, '/about').expect(404)
      assert.equal((await enter(url, 'about')).answer.status, 404)
    })

    it('is hidden from all who know only the host name, or another secret', async () => {
      const { url } = await share({ commit: first })
      const other = await share({ commit: second })
      const { cookie } = await enter(other.url, '')
      await service.visit('/about', labelOf(url)).expect(404)
      await visitWith(cookie, url, '/about').expect(404)
      assert.equal((await service.visit(new URL(other.url).pathname, labelOf(url))).status, 404)
      await service.visit(`/.open/${'A'.repeat(43)}/`, labelOf(url)).expect(404)
    })

    it('does not lead a visitor to another host', async () => {
      const { url } = await share({ commit: first })
      const { answer } = await enter(url, '/evil.example/x')
      assert.equal(answer.headers['location'], '/evil.example/x')
    })

    it('answers 410 for pages that were unpublished later', async () => {
      const before = git(service.gitdir(), 'rev-parse', `${third}^`)
      const { url } = await share({ commit: before })
      const { cookie } = await enter(url, '')
      await visitWith(cookie, url, '/secret').expect(410)
    })

    it('is listed without its secret, and ends when it is deleted', async () => {
      const { id, url } = await share({ commit: first })
      const { cookie } = await enter(url, '')
      await visitWith(cookie, url, '/about').expect(200)
      const ids = async () =>
        (await service.api().get(links()).expect(200)).body.data.map((link: { id: string }) => link.id)
      const { body } = await service.api().get(links())
      assert.ok((await ids()).includes(id))
      assert.doesNotMatch(JSON.stringify(body), /\.open/)
      await service.api().delete(`${links()}/${id}`).expect(200)
      await visitWith(cookie, url, '/about').expect(404)
      await service.api().delete(`${links()}/${id}`).expect(404)
      assert.ok(!(await ids()).includes(id))
    })

    it('is listed once among the links of the same second, in parts, unless it has ended', async () => {
      const made = await Promise.all(Array.from({ length: 4 }, () => share({ commit: first })))
      await service.api().delete(`${links()}/${made[1]?.id}`).expect(200)
      const { body: whole } = await service.api().get(links()).expect(200)
      const listed = await readSlicesByQuery(
        1,
        async (query) => (await service.api().get(`${links()}?${query}`).expect(200)).body,
      )
      assert.deepEqual(listed, whole.data)
      assert.ok(listed.length >= 3)
    })

    it('ends with the key that made it', async () => {
      const maker = await service.mint({ label: 'maker' })
      const { body } = await service.api(maker.key).post(links()).send({ commit: first }).expect(201)
      const { url } = (body as { data: { url: string } }).data
      const { cookie } = await enter(url, '')
      await visitWith(cookie, url, '/about').expect(200)
      const admin = await service.mint({ scopes: ['admin'] })
      await service.api(admin.key).delete(`/keys/${maker.id}`).expect(200)
      await visitWith(cookie, url, '/about').expect(404)
      assert.equal((await enter(url, '')).answer.status, 404)
    })

    it('is never replayed: its secret is shown once', async () => {
      const send = () => service.api().post(links()).set('Idempotency-Key', 'link').send({ commit: first })
      await send().expect(201)
      assert.equal((await send().expect(409)).body.error.code, 'secret_not_replayable')
    })

    it('can be made only for commits of the site, by keys that may write to it, for a minute to thirty days', async () => {
      await service
        .api()
        .post(links())
        .send({ commit: '0'.repeat(40) })
        .expect(404)
      await service.api('').post(links()).send({ commit: first }).expect(401)
      for (const expiresIn of [59, 2_592_001, 1.5])
        await service.api().post(links()).send({ commit: first, expiresIn }).expect(400)
      const { key } = await service.mint({ scopes: ['read'] })
      await service.api(key).post(links()).send({ commit: first }).expect(403)
    })
  })
})
