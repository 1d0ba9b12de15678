import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, withClone } from '../../support/git.js'
import { RemoteGit } from '../../support/remote-git.js'
import { startTestService, type TestService } from '../../support/service.js'
import { put } from '../client.js'

interface Commit {
  id: string
  subject: string
  verified: string
  mine: boolean
}

describe('the work of a key', () => {
  let service: TestService
  beforeEach(async () => {
    service = await startTestService()
  })
  afterEach(() => service.stop())

  const list = async (query: string, key?: string) => {
    const { body } = await service.api(key).get(`/sites/${service.site.id}/commits?${query}`).expect(200)
    return body as { data: Commit[]; paging: { nextCursor: string | null } }
  }
  const subjects = async (query: string, key?: string) => (await list(query, key)).data.map(({ subject }) => subject)

  it('is listed separately from that of other keys, by time and by page, in parts', async () => {
    const other = await service.mint()
    await put(service.api(), '/a', 'one')
    await put(service.api(other.key), '/b', 'two')
    await put(service.api(), '/b', 'three')
    assert.deepEqual(await subjects('author=me'), ['Replace /b', 'Publish /a'])
    assert.deepEqual(await subjects('author=me', other.key), ['Publish /b'])
    assert.deepEqual(await subjects('path=/b'), ['Replace /b', 'Publish /b'])
    assert.deepEqual(await subjects('path=/b&author=me'), ['Replace /b'])
    assert.deepEqual(await subjects('path=/none'), [])
    assert.deepEqual(await subjects('author=me&since=2999-01-01T00:00:00Z'), [])
    assert.equal((await subjects('since=2000-01-01T00:00:00Z')).length, 5)
    const first = await list('author=me&limit=1')
    assert.deepEqual(await subjects(`author=me&cursor=${first.paging.nextCursor}`), ['Publish /a'])
    const all = await list('')
    assert.deepEqual(
      all.data.map(({ verified, mine }) => [verified, mine]),
      [
        ['service', true],
        ['service', false],
        ['service', true],
        ['service', false],
        ['none', false],
      ],
    )
  })

  it('is found by the name that its commits show, or by the label of the key that pushed it', async () => {
    const ada = await service.mint({ label: 'Ada' })
    const bo = await service.mint({ label: 'Bo' })
    await put(service.api(ada.key), '/a', 'one')
    await put(service.api(bo.key), '/a', 'two')
    const client = new RemoteGit()
    try {
      const url = `http://git:${bo.key}@127.0.0.1:${service.server.port}/git/${service.site.slug}.git`
      await client.run('clone', '--quiet', url, 'clone')
      await client.in('clone', 'commit', '--quiet', '--allow-empty', '-m', 'By Carla')
      await client.in('clone', 'push', '--quiet')
    } finally {
      client.remove()
    }
    assert.deepEqual(await subjects('author=Ada'), ['Publish /a'])
    assert.deepEqual(await subjects('author=Bo'), ['By Carla', 'Replace /a'])
    assert.deepEqual(await subjects('author=Carla%20Client'), ['By Carla'])
    assert.deepEqual(await subjects('path=/a&author=Ada'), ['Publish /a'])
    assert.deepEqual(await subjects('author=ada'), [])
    const first = await list('author=Bo&limit=1')
    assert.deepEqual(await subjects(`author=Bo&cursor=${first.paging.nextCursor}`), ['Replace /a'])
    assert.deepEqual(await subjects('author=me', bo.key), ['By Carla', 'Replace /a'])
  })

  it('does not include a pushed commit with the same trailers, or with a signature from another commit', async () => {
    await put(service.api(), '/a', 'mine')
    await withClone(service.gitdir(), (folder) => {
      const message = git(folder, 'log', '-1', '--format=%B')
      git(folder, 'rm', '--quiet', 'a.html')
      git(folder, 'commit', '--quiet', '-m', message)
      const raw = git(folder, 'cat-file', 'commit', 'HEAD~1')
      const signature = /^gpgsig [^]*?END SSH SIGNATURE-----\n/m.exec(raw)?.[0] ?? assert.fail('no signature')
      const forged = git(folder, 'cat-file', 'commit', 'HEAD').replace(/^(committer .*\n)/m, `$1${signature}`)
      const oid = writeCommit(folder, `${forged}\n`)
      git(folder, 'update-ref', 'refs/heads/main', oid)
      git(folder, 'push', '--quiet', 'origin', 'main')
    })
    await service.api().get('/pages?path=/a').expect(200)
    const [pushed, made] = (await list('')).data
    assert.deepEqual([pushed?.subject, pushed?.verified, pushed?.mine], ['Publish /a', 'other', false])
    const page = await service.api().get('/pages?path=/a&status=unpublished').expect(200)
    const { body } = await service.api().get(`/pages/${page.body.data[0].id}/versions`).expect(200)
    assert.deepEqual(
      (body as { data: Commit[] }).data.map(({ verified }) => verified),
      ['other', 'service'],
    )
    assert.deepEqual((await list('author=me')).data, [made])
    const undone = await service.api().post(`/sites/${service.site.id}/undo`).send({ since: '2000-01-01T00:00:00Z' })
    assert.deepEqual(
      undone.body.data.undone.map(({ id }: Commit) => id),
      [made?.id],
    )
  })

  it('is undone as one, without the work of others in between', async () => {
    const other = await service.mint()
    await put(service.api(), '/a', 'mine')
    await put(service.api(other.key), '/b', 'theirs')
    await put(service.api(), '/c', 'mine')
    const undo = (body: object) => service.api().post(`/sites/${service.site.id}/undo`).send(body)
    const { body } = await undo({ since: '2000-01-01T00:00:00Z', reason: 'wrong day' }).expect(200)
    assert.equal(body.data.undone.length, 2)
    assert.deepEqual(
      (await Promise.all(['/a', '/b', '/c'].map((path) => service.visit(path)))).map(({ status }) => status),
      [404, 200, 404],
    )
    assert.deepEqual((await undo({ since: '2999-01-01T00:00:00Z' }).expect(200)).body.data.undone, [])
    for (const wrong of [{}, { since: '2000-01-01T00:00:00Z', commits: [body.data.commit] }]) {
      assert.equal((await undo(wrong).expect(400)).body.error.code, 'invalid_body')
    }
  })
})

function writeCommit(folder: string, text: string): string {
  const path = join(folder, '.git', 'forged')
  writeFileSync(path, text)
  return git(folder, 'hash-object', '-t', 'commit', '-w', path)
}
