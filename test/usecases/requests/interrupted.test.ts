import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Site } from '../../../src/catalog/site.js'
import { PROCESS_TAG } from '../../../src/git/disk/process-tag.js'
import { branchesOf } from '../../../src/repository/protocol/request-branches.js'
import { InterruptedRequests } from '../../../src/usecases/requests/interrupted.js'
import { git } from '../../support/git.js'
import { beginRequest, draftsIn, putIn } from './begin-request.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'
import { RequestWork } from './request-work.js'

describe('a change request that a crash interrupted', () => {
  let parts: ServiceParts
  let work: RequestWork

  before(async () => {
    parts = await openServiceParts()
    work = new RequestWork(parts)
  })
  after(() => parts.stop())

  const settle = (makingMs?: number) => new InterruptedRequests(parts.services, makingMs).settle(parts.site)
  const row = ({ request = '' }: Site) => parts.services.catalog.changeRequests.find(request)
  const hasIndex = ({ id, request }: Site) =>
    existsSync(join(parts.dataDir, 'index', id.slice(0, 2), `${id}.${request}.db`))
  const hasBranch = (site: Site) => branchesOf(draftsIn(parts.services, site)).includes(site.request ?? '')
  /** Leaves the row as a crash between the commit and the catalog does. */
  const openAgain = (branch: Site) =>
    parts.services.catalog.changeRequests.setState(branch.request ?? '', ['closed'], 'review')

  it('takes no write once it is published, although its row is open, until the row is closed', async () => {
    const [branch, other] = [await work.begin(), await work.begin()]
    for (const [at, each] of [branch, other].entries()) await work.put(each, `/published-${at}`, 'published')
    await work.publish(branch)
    const head = work.head(branch)
    await openAgain(branch)
    await assert.rejects(work.put(branch, '/late', 'late'), refusal('change_request_closed'))
    await assert.rejects(work.update(branch), refusal('change_request_closed'))
    assert.equal(work.head(branch), head)
    await settle()
    assert.deepEqual([row(branch)?.state, row(other)?.state], ['closed', 'draft'])
    await work.put(other, '/in-time', 'in time')
  })

  it('is published with one line in the audit log, whoever asks and however often', async () => {
    const branch = await work.begin()
    await work.put(branch, '/audited', 'audited')
    await Promise.all([work.publish(branch), work.publish(branch), settle()])
    await openAgain(branch)
    await work.publish(branch)
    const entries = parts.services.catalog.audit.before(parts.site.workspaceId, Number.MAX_SAFE_INTEGER, 100)
    const isPublished = ({ action, target }: { action: string; target: string }) =>
      action === 'change-request.publish' && target === `change-request ${branch.request}`
    assert.equal(entries.filter(isPublished).length, 1)
  })

  it('leaves no copies of its files once the service has started again', async () => {
    const branch = await work.begin()
    const copy = (tag: string) => join(work.drafts, 'palimpsest', `copy-${tag}-0-0`)
    // A process of the same number that started at another time.
    const dead = PROCESS_TAG.replace(/^(\d+)\.\d+/, '$1.1')
    for (const tag of [dead, PROCESS_TAG]) {
      mkdirSync(copy(tag))
      writeFileSync(join(copy(tag), 'blobs-x.pack'), 'copied')
    }
    await settle()
    assert.deepEqual([existsSync(copy(dead)), existsSync(copy(PROCESS_TAG))], [false, true])
    await work.put(branch, '/after', 'after')
  })

  it('and that has no row loses its branch and its index after a while, unless something was written to it', async () => {
    const { site, services } = parts
    const [empty, written, known] = [
      await beginRequest(services, site),
      await beginRequest(services, site),
      await beginRequest(services, site),
    ]
    await putIn(parts.call(), written, '/x', 'x')
    for (const { request } of [empty, written]) await services.catalog.changeRequests.remove(request)
    await putIn(parts.call(), site, '/main-moved-on', 'x')
    await settle()
    assert.deepEqual([empty, written, known].map(hasBranch), [true, true, true])
    await settle(0)
    assert.deepEqual([empty, written, known].map(hasBranch), [false, true, true])
    assert.equal(hasIndex(empty), false)
    assert.equal(git(draftsIn(services, site), 'show', `${written.request}:x.html`), 'x')
  })
})
