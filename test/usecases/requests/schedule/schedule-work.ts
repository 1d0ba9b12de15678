// Sets times of change requests in a service without HTTP, and looks at them as the service does twice a second, for tests.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ChangeRequest } from '../../../../src/catalog/requests/change-requests.js'
import type { Role } from '../../../../src/model/rights/roles.js'
import { toSeconds, toTimestamp } from '../../../../src/model/clock.js'
import { publishOrSchedule } from '../../../../src/usecases/requests/schedule/set-schedule.js'
import { Timetable } from '../../../../src/usecases/requests/schedule/timetable.js'
import { git } from '../../../support/git.js'
import type { ServiceParts } from '../../service-parts.js'
import { asPerson, RequestWork } from '../request-work.js'

type Caller = ReturnType<typeof asPerson>
type Branch = Awaited<ReturnType<RequestWork['begin']>>

export class ScheduleWork extends RequestWork {
  /** Troubles that the service met. */
  readonly troubles: unknown[] = []
  readonly timetable: Timetable

  constructor(parts: ServiceParts) {
    super(parts)
    this.timetable = this.open()
  }

  /** Returns a timetable as another start of the service has it. */
  open(): Timetable {
    const onTrouble = (error: unknown) => void this.troubles.push(error)
    return new Timetable(this.parts.services, { onTrouble, onFailure: onTrouble, restMs: 0 })
  }

  /** Makes a person of the workspace, and returns the call of a session. */
  async join(name: string, role: Role = 'owner'): Promise<Caller> {
    const { catalog, clock } = this.parts.services
    const id = randomUUID()
    await catalog.users.create({ id, name, createdAt: clock().toISOString() })
    await this.setRole(id, role)
    const call = asPerson(this.parts.call(), id, name)
    const { person = assert.fail() } = call.principal
    return { ...call, principal: { ...call.principal, person: { ...person, role } } }
  }

  async setRole(userId: string, role: Role): Promise<void> {
    await this.parts.services.catalog.members.setByHand(this.parts.workspaceId, userId, { role, sites: null })
  }

  /** Makes a request with a page, and sets its time, so many seconds ahead. */
  async schedule(path: string, seconds: number, call: Caller = this.parts.call()): Promise<Branch> {
    const branch = await this.begin(`Publish ${path}`)
    await this.put(branch, path, path)
    await this.setTime(branch, this.ahead(seconds), call)
    return branch
  }

  async setTime(
    { request }: Branch,
    at: string,
    call: Caller = this.parts.call(),
    input: { dryRun?: boolean; ifHead?: string; title?: string } = {},
  ) {
    return (await publishOrSchedule(call, { id: request, at, ...input })).data
  }

  ahead(seconds: number): string {
    return toTimestamp(toSeconds(this.parts.services.clock()) + seconds)
  }

  row({ request }: Branch): ChangeRequest {
    return this.parts.services.catalog.changeRequests.find(request) ?? assert.fail()
  }

  /** Returns `published`, the code of the refusal that holds it, or the time that it waits for. */
  outcome(branch: Branch): string | null {
    const { heldCode, publishAt } = this.row(branch)
    if (this.commitsOf(branch).length > 0) return 'published'
    return heldCode ?? publishAt
  }

  /** Returns the commits on main that publish it, as git finds them. */
  commitsOf({ request, ...site }: Branch): string[] {
    const log = git(this.parts.gitdir(site), 'log', '--format=%H', `--grep=^Change-Request: ${request}$`, 'main')
    return log.split('\n').filter(Boolean)
  }

  /** Returns the newest entries of the audit log about a request, the oldest first. */
  audit({ request }: Branch) {
    const entries = this.parts.services.catalog.audit.before(this.parts.workspaceId, Number.MAX_SAFE_INTEGER, 1000)
    return entries.filter(({ target }) => target === `change-request ${request}`).toReversed()
  }
}
