import assert from 'node:assert/strict'
import type { Route } from '../../../src/protocols/api/routes/route.js'
import { KEY_ROUTES } from '../../../src/protocols/api/routes/table.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { type AskedTool, askTool, toolsToAsk } from './ask-tools.js'
import { dryRunPlace, inputOf } from './bodies.js'
import type { CallerWithFields } from './caller-with-fields.js'
import { makeCallers } from './callers.js'
import { type Answer, type Asked, demand, type Door, type SiteSeen } from './rules.js'

/** A well-formed id that does not exist. */
const NOBODYS = '11111111-1111-4111-8111-111111111111'

describe('the rights of every kind of caller', () => {
  let service: TestService
  let callers: CallerWithFields[]
  let siteIds: Record<SiteSeen, string>

  before(async () => {
    service = await startOwnService({ env: { MAX_REQUESTS_PER_MINUTE: '0' } })
    const { provisioner } = service.server.service.services
    const { site: foreign } = await provisioner.createWorkspace('Others', 'others')
    const { key } = await service.mint({ scopes: ['admin'] })
    const made = await service.api(key).post('/sites').send({ slug: 'second' }).expect(201)
    siteIds = { own: service.site.id, 'outside its limits': made.body.data.id, 'of another workspace': foreign.id }
    callers = await makeCallers(service, service.site.id)
  })
  after(() => service.stop())

  it('are those that the rules say, for every route of the API, on own, limited and foreign sites', async () => {
    const wrong = new WrongAnswers()
    for (const route of KEY_ROUTES)
      for (const caller of callers)
        for (const asked of waysToAsk('API', route, caller, dryRunPlace(route) !== undefined))
          wrong.note(route.operationId, caller, asked, await ask(route, caller, asked))
    wrong.assertNone(5_000)
  })

  it('are those that the rules say, for every tool, on own, limited and foreign sites', async () => {
    const wrong = new WrongAnswers()
    for (const tool of toolsToAsk())
      for (const caller of callers)
        for (const asked of waysToAsk('tools', tool.route, caller, tool.hasDryRun))
          if (isAsked(tool, asked)) {
            const { site, isDryRun } = asked
            const refused = await askTool(service.origin, caller, tool, { siteId: siteIds[site], isDryRun })
            wrong.note(tool.name, caller, asked, answerOf(refused))
          }
    wrong.assertNone(4_000)
  })

  async function ask(route: Route, { fields }: CallerWithFields, { site, isDryRun }: Asked): Promise<Answer> {
    const { query, body, type } = inputOf(route, isDryRun)
    const path = route.path
      .replace('/sites/{id}', `/sites/${siteIds[site]}`)
      .replace('{oid}', '1'.repeat(40))
      .replace('{version}', '1')
    const answer = await fetch(`${service.origin}/api/v1${path.replaceAll(/\{\w+\}/g, NOBODYS)}${query}`, {
      method: route.method.toUpperCase(),
      headers: { ...fields, 'x-service-site-id': siteIds[site], ...(type !== '' && { 'Content-Type': type }) },
      ...(body !== undefined && { body }),
    })
    const text = await answer.text()
    assert.ok(answer.status < 500, `${route.operationId}: ${answer.status} ${text}`)
    return answerOf(answer.ok ? undefined : (JSON.parse(text) as { error: { code: string } }).error)
  }
})

const OF_WORKSPACE = ['listAudit', 'createSite']

/** Counts the answers, and keeps those that break the rules. */
class WrongAnswers {
  readonly #wrong: string[] = []
  #count = 0

  note(name: string, caller: CallerWithFields, asked: Asked, found: Answer): void {
    this.#count += 1
    const demanded = demand(caller, asked)
    if (demanded === found) return
    const dry = asked.isDryRun ? ' as a dry run' : ''
    this.#wrong.push(`${name}${dry} by ${caller.name} on a site ${asked.site}: “${found}”, not “${demanded}”`)
  }

  assertNone(fewest: number): void {
    assert.deepEqual(this.#wrong.slice(0, 20), [])
    assert.ok(this.#count >= fewest, `${this.#count} requests`)
  }
}

function waysToAsk(door: Door, route: Route, { means, isLimited }: CallerWithFields, hasDryRun: boolean): Asked[] {
  const isStranger = door === 'API' && means === 'agent of the tools'
  const foreign: SiteSeen[] = ['of another workspace', ...(isLimited ? ['outside its limits' as const] : [])]
  const sites: SiteSeen[] = ['own', ...(isStranger ? [] : foreign)]
  const runs = hasDryRun ? [false, true] : [false]
  const { scope, forOneself: isForOneself, forOwners: isForOwners } = route
  const isOfWorkspace = OF_WORKSPACE.includes(route.operationId)
  const facts = { door, scope, isForOneself, isForOwners, isOfWorkspace }
  return sites.flatMap((site) => runs.map((isDryRun) => ({ ...facts, site, isDryRun })))
}

/** One tool that reads, and one that writes or tries, stand for all on sites that a caller does not see. */
const ON_ALL_SITES = ['list_pages', 'edit_pages']

function isAsked({ name }: AskedTool, { site }: Asked): boolean {
  return site === 'own' || ON_ALL_SITES.includes(name)
}

/** Says what a refusal means. */
function answerOf(error: { code: string } | undefined): Answer {
  if (error?.code === 'unauthenticated') return 'unknown caller'
  if (error?.code === 'insufficient_scope') return 'not allowed'
  if (error?.code === 'forbidden_role') return 'owners only'
  return error?.code === 'site_not_found' ? 'no such site' : 'allowed'
}
