import assert from 'node:assert/strict'
import { DiskRepositories } from '../../../src/repository/disk/disk-repositories.js'
import { prepareMerge } from '../../../src/repository/merging/prepare-merge.js'
import { git } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'

interface Answer {
  headers: Record<string, string>
  body: { data: Record<string, unknown>; changeRequest?: string }
}

const LINES = '<p>one</p>\n<p>two</p>\n<p>three</p>\n'
const ONE_LINE = '<p>one</p><p>two</p>'

describe('a merge and a change request', () => {
  let service: TestService
  let page: string
  let etag: string
  const put = (query: string, html: string) => service.api().put(`/pages/${page}/content${query}`).send({ html })

  before(async () => {
    service = await startTestService()
    const body = { path: '/merged', html: LINES }
    const made: Answer = await service.api().post('/pages').send(body).expect(201)
    page = String(made.body.data['id'])
    etag = made.headers['etag'] ?? ''
  })
  after(() => service.stop())

  it('merges a stale write with what was written to the request', async () => {
    const first: Answer = await put('?changeRequest=new', LINES.replace('one', 'first')).expect(200)
    const request = String(first.body.changeRequest)
    const second = put(`?changeRequest=${request}&onConflict=merge`, LINES.replace('three', 'second'))
    const merged: Answer = await second.set('If-Match', etag).expect(200)
    assert.equal((merged.body.data['mergedWith'] as unknown[] | undefined)?.length, 1)
    const read: Answer = await service.api().get(`/pages/${page}?changeRequest=${request}`).expect(200)
    assert.equal(read.body.data['html'], LINES.replace('one', 'first').replace('three', 'second'))
  })

  it('undoes a commit of the request on its branch, and one of main there', async () => {
    const { body }: Answer = await put('', LINES.replace('three', 'live')).expect(200)
    const ofMain = (body.data['version'] as { id: string }).id
    const first: Answer = await put(
      '?changeRequest=new',
      LINES.replace('three', 'live').replace('one', 'first'),
    ).expect(200)
    const request = String(first.body.changeRequest)
    const undo = (commit: string) =>
      service.api().post(`/sites/${service.site.id}/revert?changeRequest=${request}`).send({ commit }).expect(201)
    const html = async (query: string) => {
      const read: Answer = await service.api().get(`/pages/${page}${query}`).expect(200)
      return read.body.data['html']
    }
    await undo(ofMain)
    assert.equal(await html(`?changeRequest=${request}`), LINES.replace('one', 'first'))
    await undo((first.body.data['version'] as { id: string }).id)
    assert.equal(await html(`?changeRequest=${request}`), LINES)
    assert.equal(await html(''), LINES.replace('three', 'live'))
    await put('', LINES).expect(200)
  })

  it('merges the branch of a request into main, with objects of both repositories', async () => {
    const before = git(service.gitdir(), 'rev-parse', 'main')
    const made: Answer = await service
      .api()
      .post('/pages?changeRequest=new')
      .send({ path: '/proposed', html: ONE_LINE })
      .expect(201)
    const request = String(made.body.changeRequest)
    await put(`?changeRequest=${request}`, LINES.replace('three', 'theirs')).expect(200)
    await put('', LINES.replace('one', 'ours')).expect(200)
    const { dataDir, site } = service
    const branch = { id: site.id, slug: site.slug, request }
    const repositories = new DiskRepositories(dataDir)
    const repository = repositories.open(branch)
    try {
      const ours = git(service.gitdir(), 'rev-parse', 'main')
      const aim = { base: before, ours, theirs: repository.head() ?? '', withheld: [] }
      const place = { gitdir: repositories.gitdir(branch), objects: repository.objects }
      const { edits, conflicts } = await prepareMerge(place, aim, () => Promise.resolve([]))
      assert.deepEqual(conflicts, [])
      const html = edits.find(({ path }) => path === 'merged.html')?.content
      assert.equal(html && Buffer.from(html).toString(), LINES.replace('one', 'ours').replace('three', 'theirs'))
      const proposed = edits.find(({ path }) => path === 'proposed.html')?.after
      assert.equal(repository.objects.readBlob(proposed?.oid ?? '').toString(), ONE_LINE)
    } finally {
      repository.close()
    }
  })
})
