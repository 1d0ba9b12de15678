// A process of the role `sites` that stands still while everything changes, and one whose `api` is killed, stopped or started anew.

import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { put } from '../../scenarios/client.js'
import { runPalimpsest, serve } from '../../scenarios/serve-process.js'
import { useBeside } from './beside.js'
import { answerTo, beginVisit, createSite, makeLink, versionLabel, visitAnew } from './visits.js'

const WRITES = 5

describe('a process with the role sites', () => {
  const beside = useBeside()

  async function createPage(slug: string): Promise<string> {
    const id = await createSite(beside.client, slug)
    await put(beside.client, '/', 'before', id)
    return id
  }

  it('delays no change while it is frozen, and serves nothing older once it goes on', async () => {
    const { client, gitdir, api } = beside
    const [sites] = beside.sites
    const { port } = sites
    const slugs = ['noticed', 'deleted', 'hidden', 'leaked', 'linked', 'unkeyed', 'unpublished'] as const
    const ids = {} as Record<(typeof slugs)[number], string>
    for (const slug of slugs) ids[slug] = await createPage(slug)
    const makePublic = (id: string, publicHistory: boolean) =>
      client.patch(`/sites/${id}`).send({ publicHistory }).expect(200)
    for (const id of [ids.hidden, ids.leaked, ids.unpublished]) await makePublic(id, true)
    const past = (slug: string) => ({ label: versionLabel(gitdir(slug), slug) })
    const [hidden, leaked, pastUnpublished] = [past('hidden'), past('leaked'), past('unpublished')]
    const { id: leak } = await put(client, '/', 'fixed', ids.leaked)
    const { id: unpublished } = await put(client, '/', 'last', ids.unpublished)
    const linked = await makeLink(client, ids.linked)
    const minted = await client
      .post('/keys')
      .send({ label: 'passing', scopes: ['write'] })
      .expect(201)
    const { id: keyId, key: secret } = minted.body.data as { id: string; key: string }
    const unkeyed = await makeLink(api.api(secret), ids.unkeyed)

    const visitors = [
      { label: 'noticed', after: 'after' },
      { label: 'deleted', after: 404 },
      { ...hidden, after: 404 },
      { ...leaked, after: 410 },
      { label: 'unpublished', after: 404 },
      { ...pastUnpublished, after: 410 },
      { ...linked, after: 404 },
      { ...unkeyed, after: 404 },
    ].map((visitor) => ({ port, agent: new Agent({ keepAlive: true, maxSockets: 1 }), ...visitor }))
    for (const visitor of visitors) assert.equal((await answerTo(beginVisit(visitor))).status, 200, visitor.label)

    sites.signal('SIGSTOP')
    // A change that waited for the frozen process would not end.
    await client.delete(`/sites/${ids.deleted}`).expect(200)
    await makePublic(ids.hidden, false)
    await client.post(`/pages/${leak}/versions/1/withdraw`).expect(200)
    await client.delete(`/sites/${ids.linked}/links/${linked.id}`).expect(200)
    await client.delete(`/keys/${keyId}`).expect(200)
    await client.delete(`/pages/${unpublished}`).expect(200)
    for (let i = 0; i < WRITES; i++) await put(client, '/', `${i}`, ids.noticed)
    await put(client, '/', 'after', ids.noticed)
    const begun = visitors.map(beginVisit)
    sites.signal('SIGCONT')
    const answers = await Promise.all(begun.map(answerTo))
    for (const [at, { label, after, agent }] of visitors.entries()) {
      const { status, body } = answers[at] ?? {}
      assert.equal(typeof after === 'string' ? body : status, after, label)
      agent.destroy()
    }
  })

  it('keeps serving while api is frozen or killed, also sites without an earlier visit', async () => {
    const { api, sites } = beside
    for (const slug of ['unseen-0', 'unseen-1', 'unseen-2', 'unseen-3']) await createPage(slug)
    const visit = async (slug: string) => {
      for (const { port } of sites) assert.deepEqual(await visitAnew(port, slug, '/'), { status: 200, body: 'before' })
    }
    api.signal('SIGSTOP')
    await visit('unseen-0')
    api.signal('SIGKILL')
    await api.ended
    await visit('unseen-1')
  })

  it('follows the answers of a new api that was started after the old one was killed', async () => {
    const { dataDir, key, sites } = beside
    beside.api = await serve({ dataDir })
    beside.client = beside.api.api(key)
    const { body } = await beside.client.get('/sites?limit=100').expect(200)
    const idOf = (slug: string) =>
      (body.data as { id: string; slug: string }[]).find((site) => site.slug === slug)?.id ?? ''
    await beside.client.delete(`/sites/${idOf('unseen-0')}`).expect(200)
    await put(beside.client, '/', 'again', idOf('unseen-1'))
    for (const { port } of sites) {
      assert.equal((await visitAnew(port, 'unseen-0', '/')).status, 404)
      assert.equal((await visitAnew(port, 'unseen-1', '/')).body, 'again')
    }
  })

  it('follows a command of the operator that deletes a site while api is stopped', async () => {
    const { dataDir, api, sites } = beside
    api.signal('SIGTERM')
    await api.ended
    for (const { port } of sites) assert.equal((await visitAnew(port, 'unseen-2', '/')).status, 200)
    const { code, stderr } = await runPalimpsest({ DATA_DIR: dataDir }, 'sites', 'delete', 'unseen-2')
    assert.equal(code, 0, stderr)
    for (const { port } of sites) assert.equal((await visitAnew(port, 'unseen-2', '/')).status, 404)
  })
})
