// Answers of the role `sites` right after the role `api` answered a change: many changes, on new and on kept connections.

import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { put } from '../../scenarios/client.js'
import { git, withClone } from '../../support/git.js'
import { useBeside } from './beside.js'
import { createSite, KeptConnections, versionLabel } from './visits.js'

const CHANGES = 12
const WRITES = 3
const WRITERS = 4
const WRITES_EACH = 10

describe('a change that the role api has answered', () => {
  const beside = useBeside()
  let kept: KeptConnections

  before(() => (kept = new KeptConnections(beside.sites.map(({ port }) => port))))
  after(() => kept.close())

  async function visitFor(
    expected: number | string,
    label: string,
    path: string,
    headers?: Record<string, string>,
  ): Promise<void> {
    for (const { status, body } of await kept.visit(label, path, headers))
      assert.equal(typeof expected === 'number' ? status : body, expected, `${label} ${path}`)
  }

  it('shows in each answer of sites if it is one of the settings', async () => {
    const { client, gitdir } = beside
    const siteId = await createSite(client, 'changing')
    await put(client, '/', '<p>kept</p>', siteId)
    const past = versionLabel(gitdir('changing'), 'changing')
    const date = { 'Accept-Datetime': new Date().toUTCString() }
    const markdown = { Accept: 'text/markdown' }
    for (let i = 0; i < CHANGES; i++) {
      const settings = { publicHistory: i % 2 === 0, markdown: i % 3 === 0 }
      await client.patch(`/sites/${siteId}`).send(settings).expect(200)
      await Promise.all([
        visitFor(settings.publicHistory ? 200 : 404, past, '/'),
        visitFor(settings.publicHistory ? 302 : 200, 'changing', '/', date),
        visitFor(settings.markdown ? 'kept\n' : '<p>kept</p>', 'changing', '/', markdown),
      ])
    }
  })

  it('shows in each answer of sites if it is one of the files: page, file, 404, redirect and version', async () => {
    const { client, gitdir } = beside
    const siteId = await createSite(client, 'files')
    await client.patch(`/sites/${siteId}`).send({ publicHistory: true }).expect(200)
    const putFile = (path: string, text: string) =>
      client.put(`/files?path=${path}`).set('x-service-site-id', siteId).type('text/plain').send(text)
    for (let i = 0; i < WRITES; i++) {
      const { id } = await put(client, '/passing', `page ${i}`, siteId)
      const past = versionLabel(gitdir('files'), 'files')
      await visitFor(`page ${i}`, 'files', '/passing')
      await visitFor(`page ${i}`, past, '/passing')
      await putFile('/style.css', `/* ${i} */`)
      await visitFor(`/* ${i} */`, 'files', '/style.css')
      await put(client, '/404', `missing ${i}`, siteId)
      await visitFor(`missing ${i}`, 'files', '/nowhere')
      await putFile('/_redirects', `/moved /passing ${i % 2 === 0 ? 302 : 301}\n`)
      await visitFor(i % 2 === 0 ? 302 : 301, 'files', '/moved')
      await client.delete(`/pages/${id}`).expect(200)
      await visitFor(`missing ${i}`, 'files', '/passing')
      await visitFor(410, past, '/passing')
    }
  })

  it('shows in each answer of sites if a push brings a symbolic link, and one leads to the change', async () => {
    const { client, gitdir } = beside
    const siteId = await createSite(client, 'linked')
    await put(client, '/v1/guide', 'guide 1', siteId)
    await withClone(gitdir('linked'), (clone) => {
      symlinkSync('v1', join(clone, 'latest'))
      git(clone, 'add', '.')
      git(clone, 'commit', '--quiet', '--message', 'Add a link')
      git(clone, 'push', '--quiet')
    })
    await visitFor('guide 1', 'linked', '/latest/guide')
    await put(client, '/v1/guide', 'guide 2', siteId)
    await visitFor('guide 2', 'linked', '/latest/guide')
  })

  it('shows in each answer of sites if it creates or deletes a site, or withdraws a version', async () => {
    const { client, gitdir } = beside
    for (let i = 0; i < WRITES; i++) {
      const slug = `short-${i}`
      await visitFor(404, slug, '/')
      const id = await createSite(client, slug)
      await client.patch(`/sites/${id}`).send({ publicHistory: true }).expect(200)
      await put(client, '/', 'secret', id)
      const past = versionLabel(gitdir(slug), slug)
      const { id: page } = await put(client, '/', 'public', id)
      await visitFor('secret', past, '/')
      await client.post(`/pages/${page}/versions/1/withdraw`).expect(200)
      await visitFor(410, past, '/')
      await visitFor('public', slug, '/')
      await client.delete(`/sites/${id}`).expect(200)
      await visitFor(404, slug, '/')
      await visitFor(404, past, '/')
    }
  })

  it('shows in each answer of sites while several writers go on', async () => {
    const { client } = beside
    const ids = [await createSite(client, 'site-0'), await createSite(client, 'site-1')]
    const writer = async (_: unknown, number: number) => {
      for (let i = 0; i < WRITES_EACH; i++) {
        await put(client, `/page-${number}`, `${number}: ${i}`, ids[number % 2])
        await visitFor(`${number}: ${i}`, `site-${number % 2}`, `/page-${number}`)
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, writer))
  })
})
