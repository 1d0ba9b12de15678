import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, dataOf } from '../../spec/use-service.js'
import { assertSound, git } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { type Folder, manifestOf, oidOf, tarOf } from './folder.js'
import { PATIENCE_MS, within } from '../../support/within.js'

interface Deploy {
  id: string
  missing: string[]
}

interface Published {
  commit: string
  created: number
}

const HOUR_MS = 3_600_000

describe('a deploy during other work', () => {
  let service: TestService
  let admin: string
  let now = Date.now()

  before(async () => {
    service = await startOwnService({ clock: () => new Date(now) })
    admin = (await service.mint({ scopes: ['admin'] })).key
  })
  after(() => service.stop())

  const api = () => service.api(admin)
  const main = (...args: string[]) => git(service.gitdir(), ...args)
  const publish = (id: string) => api().post(`/deploys/${id}/publish`)
  const folderOf = (id: string) => join(service.dataDir, '.uploads', `deploy-${id}`)

  /** A deploy of the folder that lacks nothing. */
  async function upload(files: Folder, more: object = {}): Promise<string> {
    const body = { files: manifestOf(files), ...more }
    const { id, missing } = dataOf<Deploy>(await api().post('/deploys').send(body).expect(201))
    if (missing.length > 0) await api().post(`/deploys/${id}/blobs`).send(tarOf(files, missing)).expect(200)
    return id
  }

  function folderNamed(name: string, count = 20): Folder {
    return Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`${name}/f${at}.${at % 2 ? 'html' : 'txt'}`, `${name} ${at}`]),
    )
  }

  it('makes its own commit, before or after another deploy of the same site', async () => {
    const ids = [await upload(folderNamed('left')), await upload(folderNamed('right'))]
    const done = (await Promise.all(ids.map((id) => publish(id)))).map((answer) => dataOf<Published>(answer))
    assert.deepEqual(
      done.map(({ created }) => created),
      [20, 20],
    )
    const commits = main('log', '-2', '--format=%H', 'main').split('\n')
    assert.deepEqual(commits.toSorted(), done.map(({ commit }) => commit).toSorted())
    for (const path of ['/left/f1', '/right/f19']) await service.visit(path).expect(200)
  })

  it('is refused with the changes if another deploy with the same ifHead was first', async () => {
    const ifHead = main('rev-parse', 'main')
    const ids = [await upload({ 'first.txt': '1' }, { ifHead }), await upload({ 'second.txt': '2' }, { ifHead })]
    const answers = await Promise.all(ids.map((id) => publish(id)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 412]))
    const refused = answers.find(({ status }) => status === 412)
    assert.match(JSON.stringify(refused?.body), /"path":"(?:first|second)\.txt","change":"added"/)
    assert.equal(main('rev-list', '--count', `${ifHead}..main`), '1')
    for (const [at, { status }] of answers.entries())
      if (status === 412) await api().delete(`/deploys/${ids[at]}`).expect(200)
  })

  it('keeps the writes of others to the same site while it is published', async () => {
    const id = await upload(folderNamed('hot', 60))
    const writing = { isOver: false, count: 0 }
    const writers = ['a', 'b', 'c'].map(async (writer) => {
      for (let at = 0; !writing.isOver; at++, writing.count++) await writeHot(`/hot-${writer}-${at}`)
    })
    const done = dataOf<Published>(await publish(id).expect(200)).created
    writing.isOver = true
    await Promise.all(writers)
    assert.equal(done, 60)
    const names = main('ls-tree', '-r', '--name-only', 'main').split('\n')
    assert.equal(names.filter((name) => name.startsWith('hot-')).length, writing.count)
    assert.equal(names.filter((name) => name.startsWith('hot/')).length, 60)
    assertSound(service.gitdir())
  })

  async function writeHot(path: string): Promise<void> {
    await api().put(`/pages?path=${path}`).type('html').send(path).expect(201)
  }

  it('is published or not found if it is deleted at the same time, and no other write is refused', async () => {
    for (let round = 0; round < 4; round++) {
      const id = await upload(folderNamed(`deleted-${round}`, 40))
      const publishing = publish(id).then(({ status, body }) => ({ status, body }))
      const writing = Promise.all(Array.from({ length: 5 }, (_, at) => writeHot(`/beside-${round}-${at}`)))
      await api().delete(`/deploys/${id}`).expect(200)
      const { status, body } = await publishing
      assert.ok([200, 404, 409].includes(status), JSON.stringify(body))
      await writing
    }
    assertSound(service.gitdir())
  })

  it('ends the previews of its dry runs once it is published or deleted', async () => {
    const ends = { published: publish, deleted: (id: string) => api().delete(`/deploys/${id}`) }
    for (const [name, end] of Object.entries(ends)) {
      const id = await upload(folderNamed(name))
      const dryRun = await api().post(`/deploys/${id}/publish?dryRun=true`).expect(200)
      const { hostname } = new URL(dataOf<{ previewUrl: string }>(dryRun).previewUrl)
      const [preview = ''] = hostname.split('.')
      await end(id).expect(200)
      await service.visit(`/${name}/f1`, preview).expect(410)
    }
  })

  it('survives a gc --prune=now of an operator before it is published', async () => {
    const files = { ...folderNamed('kept'), 'kept/large.bin': Buffer.alloc(1_200_000, 1) }
    const id = await upload(files)
    main('gc', '-q', '--prune=now')
    assert.equal(dataOf<Published>(await publish(id).expect(200)).created, 21)
    main('gc', '-q', '--prune=now')
    await service.visit('/kept/large.bin').expect(200)
    assertSound(service.gitdir())
  })

  it('does not change the host of an earlier version; a page withdrawn there is gone', async () => {
    const first = dataOf<Published>(await publish(await upload({ 'v/a.txt': 'one', 'v/p.html': 'first' })).expect(200))
    await publish(await upload({ 'v/a.txt': 'two', 'v/p.html': 'second' })).expect(200)
    const past = `${first.commit.slice(0, 20)}--demo`
    await api().patch(`/sites/${service.site.id}`).send({ publicHistory: true }).expect(200)
    await service.visit('/v/a.txt', past).expect(200, 'one')
    await service.visit('/v/p', past).expect(200, 'first')
    await service.visit('/v/a.txt').expect(200, 'two')
    const [page] = dataOf<{ id: string }[]>(await api().get('/pages?path=/v/p'))
    await api().post(`/pages/${page?.id}/versions/1/withdraw`).expect(200)
    await service.visit('/v/p', past).expect(410)
    await service.visit('/v/a.txt', past).expect(200, 'one')
  })

  it('publishes withdrawn bytes only if they are sent again', async () => {
    const first = { 'secret.html': 'withdrawn', 'live.txt': 'live' }
    await publish(await upload(first)).expect(200)
    await publish(await upload({ 'secret.html': 'other' })).expect(200)
    const [page] = dataOf<{ id: string }[]>(await api().get('/pages?path=/secret'))
    await api().post(`/pages/${page?.id}/versions/1/withdraw`).expect(200)
    const oid = oidOf('withdrawn')
    const known = await api().post('/files').send({ path: '/again.txt', oid }).expect(409)
    assert.match((known.body as { error: { message: string } }).error.message, /withdrawn: send them as text/)
    const begun = await api()
      .post('/deploys')
      .send({ files: manifestOf(first) })
      .expect(201)
    const { id, missing } = dataOf<Deploy>(begun)
    assert.deepEqual(missing, [oid])
    assert.equal(codeOf(await publish(id).expect(409)), 'blobs_missing')
    await api().post(`/deploys/${id}/blobs`).send(tarOf(first, missing)).expect(200)
    await publish(id).expect(200)
    await service.visit('/secret').expect(200, 'withdrawn')
    const again = await api()
      .post('/deploys')
      .send({ files: manifestOf(first) })
      .expect(201)
    assert.deepEqual(dataOf<Deploy>(again).missing, [])
    await api()
      .delete(`/deploys/${dataOf<Deploy>(again).id}`)
      .expect(200)
  })

  it('is removed with its site, together with its uploads', async () => {
    const site = dataOf<{ id: string }>(await api().post('/sites').send({ slug: 'short-lived' }).expect(201))
    const id = await upload(folderNamed('gone'), { siteId: site.id })
    assert.ok(existsSync(folderOf(id)))
    await api().delete(`/sites/${site.id}`).expect(200)
    assert.equal(codeOf(await publish(id).expect(404)), 'deploy_not_found')
    assert.equal(existsSync(folderOf(id)), false)
  })

  it('makes room for a sixth after an hour without use, and is removed after a day', async () => {
    const ids: string[] = []
    for (let at = 0; at < 5; at++) ids.push(await upload({ 'room.txt': `room ${at}` }))
    const another = { files: manifestOf({ 'room.txt': 'one too many' }) }
    assert.equal(codeOf(await api().post('/deploys').send(another).expect(409)), 'too_many_deploys')
    // A deploy that changes nothing does not wait for an upload.
    await api().post('/deploys').send({ files: {} }).expect(201)
    now += HOUR_MS + 1_000
    await upload({ 'room.txt': 'room 6' })
    await api().get(`/deploys/${ids[0]}`).expect(404)
    await api().get(`/deploys/${ids[1]}`).expect(200)
    now += 24 * HOUR_MS
    assert.deepEqual(dataOf<object[]>(await api().get('/deploys').expect(200)), [])
    const uploads = join(service.dataDir, '.uploads')
    await within(PATIENCE_MS, () => assert.deepEqual(readdirSync(uploads), []))
  })

  it('takes no room for dry runs except for their trees', async () => {
    const id = await upload({ 'again/a.bin': Buffer.alloc(400_000, 7) })
    const bytesOf = () =>
      readdirSync(folderOf(id)).reduce((sum, name) => sum + statSync(join(folderOf(id), name)).size, 0)
    for (let run = 0; run < 3; run++) await api().post(`/deploys/${id}/publish?dryRun=true`).expect(200)
    assert.ok(bytesOf() < 500_000, `${bytesOf()} bytes`)
  })
})
