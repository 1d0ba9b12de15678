// A site with a past: everything that the API and an operator can do to one, so that nothing of it can be lost unseen.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, withClone } from '../../support/git.js'
import type { TestService } from '../../support/service.js'
import { type Page, put } from '../client.js'
import { commitFiles } from './operator.js'

export async function liveIn(service: TestService): Promise<void> {
  await publishAndEdit(service)
  await keepRecords(service)
  await workByHand(service)
  // The unpublished page comes last, so that the head is a commit of the service.
  const gone = await put(service.api(), '/gone', '<title>Gone</title>the end')
  assert.equal((await service.api().delete(`/pages/${gone.id}`)).status, 200)
}

async function publishAndEdit(service: TestService): Promise<void> {
  const api = service.api()
  const { body } = await api.post('/pages').send({ path: '/about', html: '<h1>One</h1>\n', title: 'About the site' })
  const page = body.data as Page
  for (const html of ['<h1>Two</h1>\n', '<h1>Three</h1>\n']) await put(api, '/about', html)
  assert.equal((await api.patch(`/pages/${page.id}`).send({ title: 'All about it' })).status, 200)
  const back = await api.post(`/pages/${page.id}/rollback`).send({ version: 1, reason: 'the first was the best' })
  assert.equal(back.status, 200)
  const revived = await put(api, '/docs/', '<title>The docs</title>first')
  assert.equal((await api.delete(`/pages/${revived.id}`)).status, 200)
  assert.equal((await put(api, '/docs/', '<title>The docs</title>again')).id, revived.id)
  await put(api, '/docs/ünï cödé', 'a name that is no ASCII')
  await put(api, `/long/${'x'.repeat(400)}`, 'a name too long for a file')
  const undone = await put(api, '/docs/undone', 'soon reverted')
  const revert = await api.post(`/sites/${service.site.id}/revert`).send({ commit: undone.version.id })
  assert.equal(revert.status, 201)
}

async function keepRecords(service: TestService): Promise<void> {
  const api = service.api()
  const properties = { title: { type: 'string' }, year: { type: 'integer' } }
  const made = await api.post('/collections').send({ name: 'Books', schema: { type: 'object', properties } })
  const { id } = made.body.data as { id: string }
  const records = `/collections/${id}/records`
  const ids: string[] = []
  for (const [title, year] of [
    ['A river', 1901],
    ['The river and the sea', 1950],
    ['Mountains', 1899],
  ]) {
    const { status, body } = await api.post(records).send({ data: { title, year } })
    assert.equal(status, 201)
    ids.push((body.data as { id: string }).id)
  }
  assert.equal((await api.put(`${records}/${ids[0]}`).send({ data: { title: 'Two rivers', year: 1902 } })).status, 200)
  assert.equal((await api.delete(`${records}/${ids[2]}`)).status, 200)
  await api.post('/collections').send({ name: 'Anything' })
}

/** A page without a sidecar, an edit, a move with its sidecar, a merge of a branch, and things that are not valid. */
async function workByHand(service: TestService): Promise<void> {
  await withClone(service.gitdir(), (clone) => {
    commitFiles(clone, 'Add a page by hand', { 'hand.html': '<title>By hand</title>one' })
    commitFiles(clone, 'Edit two pages', { 'hand.html': '<title>By hand</title>two', 'about.html': 'edited by hand\n' })
    const sidecar = sidecarOf(clone, '/docs/')
    const moved = readFileSync(join(clone, sidecar), 'utf8').replace('"/docs/"', '"/manual/"')
    git(clone, 'mv', 'docs/index.html', 'manual.tmp')
    commitFiles(clone, 'Move the docs', {
      'manual.tmp': null,
      'manual/index.html': '<title>The docs</title>again',
      [sidecar]: moved,
    })
    git(clone, 'switch', '--quiet', '--create', 'branch')
    commitFiles(clone, 'On a branch', { 'branch.html': 'from a branch' })
    git(clone, 'switch', '--quiet', 'main')
    git(clone, 'merge', '--quiet', '--no-ff', '--message', 'Merge the branch', 'branch')
    commitFiles(clone, 'Make mistakes', {
      '.pages/00/00000000-0000-0000-0000-000000000000.json': 'not JSON',
      'collections/no-collection.json': '{}',
      'robots.txt': 'User-agent: *\n',
    })
    git(clone, 'push', '--quiet')
  })
}

function sidecarOf(clone: string, path: string): string {
  const files = readdirSync(join(clone, '.pages'), { recursive: true, encoding: 'utf8' })
  const found = files
    .filter((file) => file.endsWith('.json'))
    .find((file) => JSON.parse(readFileSync(join(clone, '.pages', file), 'utf8')).path === path)
  if (found === undefined) throw new Error(`no sidecar names ${path}`)
  return `.pages/${found}`
}
