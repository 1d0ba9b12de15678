// Whether a stranger finds out which sites others have by how long an answer takes.

import assert from 'node:assert/strict'
import { authenticate } from '../../../src/usecases/access/authenticate.js'
import { findRepository } from '../../../src/usecases/access/repository-access.js'
import { startOwnService, type TestService } from '../../support/service.js'

const HIDDEN = 'their-site'
const MISSING = 'nothing-is'
const DELETED = 'was-a-site'
const PAIRS = 1500
const WARM_UP = 500
/** Share of the time of a look-up: some 300 ns, invisible to a client. Sites could be told apart by 13 to 29 percent. */
const MAX_DIFFERENCE = 0.08

describe("another tenant's site", () => {
  const keys: Record<string, string | undefined> = { 'no key': undefined }
  let service: TestService

  before(async () => {
    service = await startOwnService()
    const { key: admin } = await service.mint({ scopes: ['admin'] })
    const made = async (slug: string) =>
      (await service.api(admin).post('/sites').send({ slug }).expect(201)).body as { data: { id: string } }
    await made(HIDDEN)
    const own = await made('own')
    const { data } = await made(DELETED)
    await service.api(admin).delete(`/sites/${data.id}`).expect(200)
    const { workspace } = await service.server.service.services.provisioner.createWorkspace('Others', 'others')
    keys['a key of another workspace'] = (await service.mint({ workspaceId: workspace.id })).key
    keys['a key limited to another site'] = (await service.mint({ sites: [own.data.id] })).key
  })
  after(() => service.stop())

  for (const name of ['no key', 'a key of another workspace', 'a key limited to another site'])
    it(`takes as long to look up as one that never existed, for ${name}`, async () => {
      const { services } = service.server.service
      const key = keys[name]
      const principal = key === undefined ? undefined : authenticate(services, key)
      for (const slug of [HIDDEN, DELETED]) {
        const [there, missing] = mediansOf((isThere) =>
          assert.throws(() => findRepository(services, principal, isThere ? slug : MISSING, 'write')),
        )
        const difference = Math.abs(there / missing - 1)
        assert.ok(difference <= MAX_DIFFERENCE, `${slug} takes ${there} ns, and what is missing ${missing} ns`)
      }
    })
})

/** Medians of the time to look up an existing site and a missing one, in turns, in nanoseconds. */
function mediansOf(lookUp: (isThere: boolean) => void): [number, number] {
  const times: [number[], number[]] = [[], []]
  for (let pair = -WARM_UP; pair < PAIRS; pair++) {
    const isThereFirst = Math.random() < 0.5
    for (const isThere of [isThereFirst, !isThereFirst]) {
      const began = process.hrtime.bigint()
      lookUp(isThere)
      const took = Number(process.hrtime.bigint() - began)
      if (pair >= 0) times[isThere ? 0 : 1].push(took)
    }
  }
  const [there, missing] = times.map((all) => all.toSorted((a, b) => a - b)[PAIRS / 2] ?? Number.NaN)
  return [there ?? Number.NaN, missing ?? Number.NaN]
}
