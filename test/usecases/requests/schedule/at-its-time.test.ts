import assert from 'node:assert/strict'
import { cancelSchedule } from '../../../../src/usecases/requests/schedule/set-schedule.js'
import { listScheduled } from '../../../../src/usecases/requests/schedule/list-scheduled.js'
import { changeRequest, getRequest } from '../../../../src/usecases/requests/requests.js'
import { OldRequests } from '../../../../src/usecases/requests/retire-old.js'
import { git } from '../../../support/git.js'
import { openServiceParts, refusal, type ServiceParts } from '../../service-parts.js'
import { ScheduleWork } from './schedule-work.js'

const DAY_SECONDS = 24 * 3600

describe('a change request with a time', () => {
  let root: ServiceParts
  let parts: ServiceParts
  let work: ScheduleWork

  before(async () => (root = await openServiceParts()))
  beforeEach(async () => {
    parts = await root.inNewWorkspace()
    work = new ScheduleWork(parts)
  })
  after(() => root.stop())

  const look = () => work.timetable.run()
  const subjects = () => git(parts.gitdir(), 'log', '--reverse', '--format=%s', 'main').split('\n')
  const show = async ({ request }: { request: string }) => (await getRequest(parts.call(), { id: request })).data

  it('is published at that time and not before, in the name of the person who set it', async () => {
    const ada = await work.join('Ada', 'editor')
    const branch = await work.schedule('/hours', 60, ada)
    const { publishAt, scheduledBy, scheduledHead, heldAt } = await show(branch)
    const head = work.head(branch)
    assert.deepEqual([publishAt, scheduledBy, scheduledHead, heldAt], ['2026-11-21T10:01:00Z', 'Ada', head, null])
    parts.pass(59)
    await look()
    assert.equal(work.outcome(branch), '2026-11-21T10:01:00Z')
    parts.pass(1)
    await look()
    assert.equal(work.show('hours.html'), '/hours')
    assert.deepEqual(work.trailers('Published-By'), [`Ada (user ${ada.principal.person?.id})`])
    const after = await show(branch)
    assert.deepEqual([after.state, after.published, after.publishAt], ['published', work.main(), null])
    const [set, ran] = work.audit(branch)
    assert.deepEqual(
      [set, ran].map((entry) => [entry?.action, entry?.actor.userId, entry?.details['publishAt']]),
      [
        ['change-request.schedule', ada.principal.person?.id, '2026-11-21T10:01:00Z'],
        ['change-request.publish', ada.principal.person?.id, '2026-11-21T10:01:00Z'],
      ],
    )
    await look()
    assert.equal(work.commitsOf(branch).length, 1)
  })

  it('waits for an instant, whatever offset names it, also where a clock is set forward or back', async () => {
    const branches = []
    for (const [path, at] of [
      // In Berlin the clock shows 3:00 a second after 1:59:59, and in October shows 2:30 twice.
      ['/summer', '2027-03-28T03:00:00+02:00'],
      ['/winter', '2027-03-28T01:59:59+01:00'],
      ['/second', '2027-10-31T02:30:00+01:00'],
      ['/first', '2027-10-31T02:30:00+02:00'],
      ['/fraction', '2027-03-28T01:00:00.2Z'],
    ] as const) {
      const branch = await work.begin(path)
      await work.put(branch, path, path)
      await work.setTime(branch, at)
      branches.push(branch)
    }
    assert.deepEqual(
      branches.map((branch) => work.outcome(branch)),
      [
        '2027-03-28T01:00:00Z',
        '2027-03-28T00:59:59Z',
        '2027-10-31T01:30:00Z',
        '2027-10-31T00:30:00Z',
        '2027-03-28T01:00:01Z',
      ],
    )
    parts.pass(365 * DAY_SECONDS)
    await look()
    assert.deepEqual(subjects().slice(-5), ['/winter', '/summer', '/fraction', '/first', '/second'])
  })

  it('is published once at the next start after a stop, in the order of times, however long the stop was', async () => {
    const later = await work.schedule('/later', 20)
    const first = await work.schedule('/first', 10)
    const same = await work.schedule('/same', 20)
    await work.timetable.close()
    parts.pass(30 * DAY_SECONDS)
    await work.open().run()
    assert.deepEqual(subjects().slice(-3), ['Publish /first', 'Publish /later', 'Publish /same'])
    await work.open().run()
    for (const branch of [first, later, same]) assert.equal(work.commitsOf(branch).length, 1)
  })

  it('waits again when the clock is set back, and what was published is not published again', async () => {
    const [early, late] = [await work.schedule('/early', 10), await work.schedule('/late', 100)]
    parts.pass(50)
    await look()
    parts.pass(-3600)
    await look()
    assert.deepEqual([work.outcome(early), work.outcome(late)], ['published', '2026-11-21T10:01:40Z'])
    parts.pass(3600 + 50)
    await look()
    for (const branch of [early, late]) assert.equal(work.commitsOf(branch).length, 1)
  })

  it('is published once where two machines look at the same moment', async () => {
    const branches = []
    for (let at = 0; at < 5; at++) branches.push(await work.schedule(`/both-${at}`, 10))
    parts.pass(10)
    await Promise.all([work.open().run(), work.open().run(), work.open().run()])
    for (const branch of branches) {
      assert.equal(work.commitsOf(branch).length, 1)
      const ran = work.audit(branch).filter(({ action }) => action === 'change-request.publish')
      assert.equal(ran.length, 1)
    }
  })

  it('unpublishes a page if that is what it changes', async () => {
    await work.put(parts.site, '/offer', 'offer')
    const branch = await work.begin('End the offer')
    await work.unpublish(branch, '/offer')
    await work.setTime(branch, work.ahead(10))
    assert.equal(work.show('offer.html'), 'offer')
    parts.pass(10)
    await look()
    assert.equal(git(parts.gitdir(), 'ls-tree', '--name-only', 'main', 'offer.html'), '')
  })

  it('is published at the time that was set last, and not at all once the time is taken back', async () => {
    const [moved, ended] = [await work.schedule('/moved', 10), await work.schedule('/ended', 10)]
    await work.setTime(moved, work.ahead(30), parts.call(), { title: 'Moved' })
    for (const _ of [1, 2]) await cancelSchedule(parts.call(), { id: ended.request })
    parts.pass(10)
    await look()
    assert.deepEqual([work.outcome(moved), work.outcome(ended)], ['2026-11-21T10:00:30Z', null])
    assert.deepEqual([work.row(moved).title, work.row(ended).state], ['Moved', 'draft'])
    parts.pass(20)
    await look()
    assert.equal(work.outcome(moved), 'published')
    assert.deepEqual(
      work.audit(ended).map(({ action }) => action),
      ['change-request.schedule', 'change-request.unschedule'],
    )
  })

  it('has none once it is closed or published by hand, also if it is opened again', async () => {
    const [closed, published] = [await work.schedule('/closed', 10), await work.schedule('/by-hand', 10)]
    await changeRequest(parts.call(), { id: closed.request, state: 'closed' })
    await changeRequest(parts.call(), { id: closed.request, state: 'review' })
    await work.publish(published)
    parts.pass(10)
    await look()
    assert.deepEqual([work.outcome(closed), work.row(closed).scheduledHead], [null, null])
    assert.equal(work.commitsOf(published).length, 1)
  })

  it('is not closed for its age, unless it is held', async () => {
    const [waiting, held] = [await work.schedule('/waiting', 200 * DAY_SECONDS), await work.schedule('/held', 10)]
    await work.put(held, '/held', 'changed since')
    parts.pass(10)
    await look()
    parts.pass(91 * DAY_SECONDS)
    await new OldRequests(parts.services).retire()
    assert.deepEqual([work.row(waiting).state, work.row(held).state], ['draft', 'closed'])
  })

  it('is in a list by time, in parts, with those that are held', async () => {
    const [late, early, held] = [
      await work.schedule('/late', 90),
      await work.schedule('/early', 60),
      await work.schedule('/held', 10),
    ]
    await work.begin('Without a time')
    await work.put(held, '/held', 'changed since')
    parts.pass(10)
    await look()
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const page = await listScheduled(parts.call(), { id: parts.site.id, limit: 1, ...(cursor && { cursor }) })
      ids.push(...page.data.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    assert.deepEqual(ids, [held.request, early.request, late.request])
    const other = parts.call({ key: await parts.mint({ scopes: ['propose'] }) })
    assert.deepEqual((await listScheduled(other, { id: parts.site.id })).data, [])
    const wrong = listScheduled(parts.call(), { id: parts.site.id, cursor: 'eyJ' })
    await assert.rejects(wrong, refusal('invalid_cursor'))
  })

  it('cannot have a time that is past or more than a year ahead, and a dry run sets none', async () => {
    const branch = await work.begin()
    await work.put(branch, '/refused', 'refused')
    for (const seconds of [0, -1, 366 * DAY_SECONDS + 1])
      await assert.rejects(work.setTime(branch, work.ahead(seconds)), refusal('invalid_body'))
    const { dryRun, publishAt } = await work.setTime(branch, work.ahead(10), parts.call(), { dryRun: true })
    assert.ok(dryRun)
    assert.deepEqual([publishAt, work.outcome(branch)], [undefined, null])
    await work.setTime(branch, work.ahead(366 * DAY_SECONDS))
  })
})
