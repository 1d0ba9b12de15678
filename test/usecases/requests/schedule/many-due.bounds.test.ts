import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { git } from '../../../support/git.js'
import { until } from '../../../support/within.js'
import { openServiceParts, type ServiceParts } from '../../service-parts.js'
import { ScheduleWork } from './schedule-work.js'

const MANY = 1_000

describe('many change requests with one time', function () {
  this.timeout(600_000)
  let parts: ServiceParts
  let work: ScheduleWork

  before(async () => {
    parts = await openServiceParts()
    work = new ScheduleWork(parts)
  })
  after(() => parts.stop())

  /** Makes requests with a file each, as many as may be open, by git. */
  async function makeRequests(): Promise<{ id: string; head: string }[]> {
    await work.begin()
    const { changeRequests, schedules } = parts.services.catalog
    const madeBy = `key ${parts.call().principal.id}`
    const ids = Array.from({ length: MANY }, () => randomUUID())
    const commands = ids.map(
      (id) => `commit refs/heads/${id}
committer Ada <ada@localhost> 1795000000 +0000
data 3
Add
from ${work.main()}
M 100644 inline ${id}.txt
data ${id.length}
${id}
`,
    )
    execFileSync('git', ['-C', work.drafts, 'fast-import', '--quiet'], { input: commands.join('') })
    const made = ids.map((id) => ({ id, head: '' }))
    const heads = git(work.drafts, 'for-each-ref', '--format=%(refname:short) %(objectname)').split('\n')
    const headOf = new Map(heads.map((line) => line.split(' ') as [string, string]))
    for (const request of made) {
      request.head = headOf.get(request.id) ?? assert.fail()
      const row = {
        siteId: parts.site.id,
        title: request.id,
        state: 'draft',
        author: 'Ada',
        madeBy,
        userId: null,
      } as const
      await changeRequests.create({ ...row, id: request.id })
      const by = { setBy: madeBy, label: 'Ada', workspaceId: parts.workspaceId }
      await schedules.set(request.id, { ...by, publishAt: work.ahead(60), head: request.head })
    }
    return made
  }

  it('are published once each, in the order of their numbers, also if the service stops in between', async () => {
    const made = await makeRequests()
    parts.pass(60)
    const stopping = work.open()
    const half = stopping.run()
    const { changeRequests, schedules } = parts.services.catalog
    const stateOf = (at: number) => changeRequests.find(made[at]?.id ?? '')?.state
    await until(
      () => stateOf(MANY / 4),
      (state) => state === 'closed',
    )
    await stopping.close()
    await half
    assert.equal(stateOf(MANY - 1), 'draft')
    await work.open().run()
    const held = made.flatMap(({ id }) => changeRequests.find(id)?.heldCode ?? [])
    assert.deepEqual([work.troubles, held], [[], []])
    const published = git(parts.gitdir(), 'log', '--reverse', '--format=%s', 'main').split('\n').slice(-MANY)
    assert.deepEqual(
      published,
      made.map(({ id }) => id),
    )
    assert.deepEqual(schedules.listDue(10), [])
  })
})
