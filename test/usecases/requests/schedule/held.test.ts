import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { renameSync } from 'node:fs'
import type { SiteProtection } from '../../../../src/catalog/site.js'
import { approveRequest } from '../../../../src/usecases/requests/approve-request.js'
import { TaskPool } from '../../../../src/tasks/task-pool.js'
import { Timetable } from '../../../../src/usecases/requests/schedule/timetable.js'
import { cancelSchedule } from '../../../../src/usecases/requests/schedule/set-schedule.js'
import { openServiceParts, refusal, type ServiceParts } from '../../service-parts.js'
import { ScheduleWork } from './schedule-work.js'

describe('a change request that cannot be published at its time', () => {
  let root: ServiceParts
  let parts: ServiceParts
  let work: ScheduleWork

  before(async () => (root = await openServiceParts()))
  beforeEach(async () => {
    parts = await root.inNewWorkspace()
    work = new ScheduleWork(parts)
  })
  after(() => root.stop())

  const protect = async (protection: SiteProtection['protection']) =>
    await parts.services.catalog.sites.protect(parts.site.id, { protection, approvers: 'editor' }, [])
  const approve = (branch: { request: string }, call: Awaited<ReturnType<ScheduleWork['join']>>, commit: string) =>
    approveRequest(call, { id: branch.request, commit })
  const due = async () => {
    parts.pass(60)
    await work.timetable.run()
  }
  /** Schedules a page, lets something happen, and returns what became of it at its time. */
  const after60 = async (
    path: string,
    call: Parameters<ScheduleWork['schedule']>[2],
    happen: () => Promise<unknown>,
  ) => {
    const branch = await work.schedule(path, 60, call)
    await happen()
    await due()
    return work.outcome(branch)
  }

  it('is held with the reason, is tried no more, and is published once somebody sets a time again', async () => {
    await work.put(parts.site, '/both', 'a\n')
    const branch = await work.schedule('/both', 60)
    await work.put(parts.site, '/both', 'b\n')
    const main = work.main()
    await due()
    const { heldCode, heldReason, heldAt, state } = work.row(branch)
    assert.deepEqual([heldCode, heldAt, state, work.main()], ['merge_conflict', '2026-11-21T10:01:00Z', 'draft', main])
    assert.match(heldReason ?? '', /Main was changed in the same places/)
    await work.update(branch, { ours: ['both.html'] })
    await due()
    assert.equal(work.outcome(branch), 'merge_conflict')
    await work.setTime(branch, work.ahead(60))
    assert.equal(work.row(branch).heldReason, null)
    await due()
    assert.equal(work.outcome(branch), 'published')
    assert.deepEqual(
      work.audit(branch).map(({ action, details }) => [action, details['code']]),
      [
        ['change-request.schedule', undefined],
        ['change-request.hold', 'merge_conflict'],
        ['change-request.schedule', undefined],
        ['change-request.publish', undefined],
      ],
    )
  })

  it('keeps no other from its turn', async () => {
    await work.put(parts.site, '/both', 'a\n')
    const [held, next] = [await work.schedule('/both', 50), await work.schedule('/next', 60)]
    await work.put(parts.site, '/both', 'b\n')
    await due()
    assert.deepEqual([work.outcome(held), work.outcome(next)], ['merge_conflict', 'published'])
  })

  it('is held if it was written to since, unless the time is set again', async () => {
    const [changed, again] = [await work.schedule('/changed', 60), await work.schedule('/again', 60)]
    for (const branch of [changed, again]) await work.put(branch, '/more', branch.request)
    await work.setTime(again, work.ahead(60))
    await due()
    assert.deepEqual([work.outcome(changed), work.outcome(again)], ['precondition_failed', 'published'])
  })

  it('is held if an approval is missing by then: cancelled, or of somebody who may approve no more', async () => {
    await protect('all')
    const [ada, bob] = [await work.join('Ada'), await work.join('Bob', 'editor')]
    const branch = await work.begin()
    await work.put(branch, '/approved', 'approved')
    await assert.rejects(work.setTime(branch, work.ahead(60), ada), refusal('approval_required'))
    await approve(branch, bob, work.head(branch))
    await work.setTime(branch, work.ahead(60), ada)
    await work.setRole(bob.principal.person?.id ?? '', 'viewer')
    await due()
    assert.equal(work.outcome(branch), 'approval_required')
    await work.setRole(bob.principal.person?.id ?? '', 'editor')
    await work.setTime(branch, work.ahead(60), ada)
    await due()
    assert.equal(work.outcome(branch), 'published')
  })

  it('is held if the site is protected from its key by then, and published if it is protected from agents alone', async () => {
    const ada = await work.join('Ada', 'editor')
    const [byKey, byPerson] = [await work.schedule('/key', 60), await work.schedule('/person', 60, ada)]
    await protect('agents')
    await due()
    assert.deepEqual([work.outcome(byKey), work.outcome(byPerson)], ['approval_required', 'published'])
  })

  it('is held once who set the time may publish there no more', async () => {
    const { catalog } = parts.services
    const [gone, demoted, promoted] = [await work.join('Gone'), await work.join('Demoted'), await work.join('Promoted')]
    const idOf = (call: typeof gone) => call.principal.person?.id ?? ''
    assert.equal(
      await after60('/gone', gone, () => catalog.members.take(parts.workspaceId, idOf(gone))),
      'insufficient_scope',
    )
    assert.equal(await after60('/demoted', demoted, () => work.setRole(idOf(demoted), 'author')), 'insufficient_scope')
    assert.equal(await after60('/promoted', promoted, () => work.setRole(idOf(promoted), 'editor')), 'published')
    const key = parts.call({ key: await parts.mint({ scopes: ['write'] }) })
    const revoke = () => catalog.keys.revoke(parts.workspaceId, key.principal.id)
    assert.equal(await after60('/key', key, revoke), 'insufficient_scope')
  })

  it('writes only where its key may write', async () => {
    const branch = await work.schedule('/outside', 60)
    const key = await parts.mint({ scopes: ['write'], paths: ['/inside/*'] })
    await work.setTime(branch, work.ahead(60), parts.call({ key }))
    await due()
    assert.equal(work.outcome(branch), 'path_not_allowed')
  })

  it('is held once an owner who lent the session is owner no more', async () => {
    const [owner, ada] = [await work.join('Owner'), await work.join('Ada')]
    const lenderId = owner.principal.person?.id ?? ''
    const lent = { ...ada, principal: { ...ada.principal, lentBy: [lenderId] } }
    assert.equal(await after60('/lent', lent, async () => undefined), 'published')
    assert.equal(await after60('/ended', lent, () => work.setRole(lenderId, 'admin')), 'insufficient_scope')
  })

  it('gets no time from a token or a session without a person: nobody could ask later what they may', async () => {
    const branch = await work.begin()
    await work.put(branch, '/token', 'token')
    const call = parts.call()
    for (const kind of ['token', 'session'] as const) {
      const caller = { ...call, principal: { ...call.principal, kind } }
      await assert.rejects(work.setTime(branch, work.ahead(60), caller), refusal('forbidden_role'))
    }
  })

  it('is held when its site is deleted, and harms no other', async () => {
    const other = new ScheduleWork(await root.inNewWorkspace())
    const [held, next] = [await work.schedule('/deleted', 60), await other.schedule('/other', 60)]
    const { catalog } = parts.services
    await catalog.sites.markDeleted(parts.site.id)
    await due()
    assert.equal(work.row(held).heldCode, 'site_not_found')
    assert.equal(other.outcome(next), 'published')
    assert.equal(work.audit(held).at(-1)?.action, 'change-request.hold')
  })

  it('is not held by a trouble of the machine: its site keeps the order, and no other site waits', async () => {
    const other = new ScheduleWork(await root.inNewWorkspace())
    const [first, second] = [await work.schedule('/first', 30), await work.schedule('/second', 40)]
    const elsewhere = await other.schedule('/elsewhere', 50)
    const gitdir = parts.gitdir()
    renameSync(gitdir, `${gitdir}.aside`)
    await due()
    renameSync(`${gitdir}.aside`, gitdir)
    assert.ok(work.troubles.length > 0)
    assert.equal(other.outcome(elsewhere), 'published')
    assert.deepEqual([work.row(first).heldCode, work.row(second).heldCode], [null, null])
    await work.timetable.run()
    assert.deepEqual([work.outcome(first), work.outcome(second)], ['published', 'published'])
    assert.equal(work.commitsOf(second)[0], work.main())
  })

  it('is not held if the process for its merge ends before it is ready', async () => {
    const branch = await work.schedule('/merge', 60)
    const entry = new URL('../../../tasks/ending-worker.js', import.meta.url)
    const longTasks = new TaskPool({ entry, processes: 2 })
    const onTrouble = (error: unknown) => void work.troubles.push(error)
    const failing = new Timetable({ ...parts.services, longTasks }, { onTrouble, onFailure: onTrouble, restMs: 0 })
    parts.pass(60)
    await failing.run()
    await longTasks.close()
    assert.deepEqual(
      work.troubles.map((error) => (error as { code?: string }).code),
      ['service_busy'],
    )
    assert.equal(work.row(branch).heldCode, null)
    await work.timetable.run()
    assert.equal(work.outcome(branch), 'published')
  })

  it('cannot have a time if it could not be published now', async () => {
    const branch = await work.begin()
    const at = work.ahead(60)
    await assert.rejects(work.setTime(branch, at), refusal('conflict'))
    await work.put(parts.site, '/both', 'a\n')
    const conflicting = await work.begin()
    await work.put(conflicting, '/both', 'b\n')
    await work.put(parts.site, '/both', 'c\n')
    await assert.rejects(work.setTime(conflicting, at), refusal('merge_conflict'))
    await work.put(branch, '/new', 'new')
    await assert.rejects(
      work.setTime(branch, at, parts.call(), { ifHead: work.main() }),
      refusal('precondition_failed'),
    )
    await work.publish(branch)
    await assert.rejects(work.setTime(branch, at), refusal('change_request_closed'))
    const missing = { ...branch, request: randomUUID() }
    await assert.rejects(work.setTime(missing, at), refusal('change_request_not_found'))
    await assert.rejects(cancelSchedule(parts.call(), { id: missing.request }), refusal('change_request_not_found'))
  })
})
