import assert from 'node:assert/strict'
import type { Route } from '../../../src/protocols/api/routes/route.js'
import { ROUTES } from '../../../src/protocols/api/routes/table.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { dryRunPlace, inputOf } from './bodies.js'
import { type CallerWithFields, makeCallers } from './callers.js'
import { type Answer, type Asked, demand, type SiteSeen } from './rules.js'

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
    const wrong: string[] = []
    let count = 0
    for (const route of ROUTES)
      for (const caller of callers)
        for (const asked of waysToAsk(route, caller)) {
          count += 1
          const [demanded, found] = [demand(caller, asked), await ask(route, caller, asked)]
          if (demanded === found) continue
          const dry = asked.isDryRun ? ' as a dry run' : ''
          wrong.push(`${route.operationId}${dry} by ${caller.name} on a site ${asked.site}: ${found}, not ${demanded}`)
        }
    assert.deepEqual(wrong.slice(0, 20), [])
    assert.ok(count >= 5_000, `${count} requests`)
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
    return answerOf(answer.ok ? undefined : (JSON.parse(text) as { error: { code: string; message: string } }).error)
  }
})

function waysToAsk(route: Route, { isLimited }: CallerWithFields): Asked[] {
  const sites: SiteSeen[] = ['own', 'of another workspace', ...(isLimited ? ['outside its limits' as const] : [])]
  const runs = dryRunPlace(route) === undefined ? [false] : [false, true]
  const { scope, forOneself: isForOneself, forOwners: isForOwners } = route
  return sites.flatMap((site) => runs.map((isDryRun) => ({ scope, isForOneself, isForOwners, site, isDryRun })))
}

/** Says what a refusal means. */
function answerOf(error: { code: string; message: string } | undefined): Answer {
  if (error?.code === 'unauthenticated') return 'unknown caller'
  if (error?.code === 'insufficient_scope') return 'not allowed'
  if (error?.code === 'forbidden_role') return 'owners only'
  return error?.code === 'site_not_found' ? 'no such site' : 'allowed'
}
