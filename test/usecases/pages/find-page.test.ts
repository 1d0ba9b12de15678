import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Site } from '../../../src/catalog/site.js'
import { createPage, getPage, listPages } from '../../../src/usecases/pages/pages.js'
import { git, withClone } from '../../support/git.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'

/** More than are asked one by one. */
const SITES = 20

describe('a page looked up by its id alone, in a workspace of many sites', () => {
  let parts: ServiceParts
  const sites: Site[] = []

  before(async () => {
    parts = await openServiceParts()
    for (let i = 0; i < SITES; i += 1)
      sites.push(await parts.services.provisioner.createSite(parts.workspaceId, `site-${i}`))
  })
  after(() => parts.stop())

  const siteAt = (place: number): Site => sites[place] ?? assert.fail()
  const create = async (site: Site, path: string) =>
    (await createPage(parts.call(), { siteId: site.id, path, html: path })).data
  const read = (id: string, key?: string) => getPage(parts.call(key === undefined ? {} : { key }), { id })

  /** Publishes a page with this id past the service. */
  async function push(site: Site, id: string, path: string): Promise<void> {
    await withClone(parts.gitdir(site), (folder) => {
      mkdirSync(join(folder, '.pages', id.slice(0, 2)), { recursive: true })
      writeFileSync(join(folder, '.pages', id.slice(0, 2), `${id}.json`), JSON.stringify({ path }))
      writeFileSync(join(folder, `${path}.html`), path)
      git(folder, 'add', '.')
      git(folder, 'commit', '-q', '-m', 'By hand')
      git(folder, 'push', '-q')
    })
  }

  it('is found without opening any other site', async () => {
    const opened = new Set<string>()
    const { repositories } = parts.services.store
    const open = repositories.open.bind(repositories)
    repositories.open = (site) => {
      opened.add(site.slug)
      return open(site)
    }
    const { id } = await create(siteAt(3), '/found')
    assert.equal((await read(id)).data.path, '/found')
    repositories.open = open
    assert.deepEqual([...opened], [siteAt(3).slug])
  })

  it('is found in a site that was never read, and after a push by path', async () => {
    const [first, second] = [randomUUID(), randomUUID()]
    await push(siteAt(5), first, '/pushed')
    assert.equal((await read(first)).data.path, '/pushed')
    await push(siteAt(5), second, '/pushed-later')
    assert.equal((await read(second)).data.path, '/pushed-later')
  })

  it('is found after a write of this process that the index has not taken yet', async () => {
    const { id } = await create(siteAt(6), '/stale')
    parts.indexes.of(siteAt(6).id).forget()
    assert.equal((await read(id)).data.path, '/stale')
  })

  it('is not found if no site has it, also for many requests at once', async () => {
    const unknown = Array.from({ length: 50 }, () => assert.rejects(read(randomUUID()), refusal('page_not_found')))
    await Promise.all(unknown)
  })

  it('is not found if the key does not see its site', async () => {
    const { id } = await create(siteAt(7), '/hidden')
    const some = await parts.mint({ sites: [siteAt(8).id] })
    const many = await parts.mint({ sites: sites.filter((site) => site !== siteAt(7)).map((site) => site.id) })
    for (const key of [some, many]) await assert.rejects(read(id, key), refusal('page_not_found'))
  })

  it('is ambiguous if two sites have it, once the patrol has seen the pushes', async () => {
    const id = randomUUID()
    for (const site of [siteAt(9), siteAt(10)]) {
      await push(site, id, '/twice')
      await parts.services.indexFollower.follow(site)
    }
    await assert.rejects(read(id), refusal('ambiguous_id'))
  })

  it('is found even if a site of another workspace has a page with the same id', async () => {
    const { id } = await create(siteAt(11), '/popular')
    const other = await parts.inNewWorkspace()
    await push(other.site, id, '/theirs')
    await other.services.indexFollower.follow(other.site)
    assert.equal((await read(id)).data.path, '/popular')
  })

  it('gets the error of an unreadable site only if that site may hold it', async () => {
    const { id } = await create(siteAt(12), '/good')
    const broken = await parts.services.provisioner.createSite(parts.workspaceId, 'broken')
    writeFileSync(join(parts.gitdir(broken), 'refs/heads/main'), 'broken\n')
    assert.equal((await read(id)).data.path, '/good')
    await assert.rejects(read(randomUUID()), refusal('site_unreadable'))
    const healthy = await listPages(parts.call({ siteId: siteAt(12).id }), {})
    assert.equal(healthy.data.length, 1)
  })
})
