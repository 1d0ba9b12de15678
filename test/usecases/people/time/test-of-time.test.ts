import assert from 'node:assert/strict'
import { registerClient } from '../../../support/people/connect-agent.js'
import { signInAs } from '../../../support/people/sign-in-as.js'
import { startOwnService } from '../../../support/service.js'
import { LOSSES } from './losses.js'
import { meet, type World } from './people.js'
import { demand, RULES } from './rules.js'
import { WAYS } from './ways.js'

describe('what was made before somebody lost a right', () => {
  let world: World

  before(async () => {
    const here = await startOwnService({ env: { MAX_REQUESTS_PER_MINUTE: '0' } })
    const elsewhere = await here.inNewWorkspace()
    const hanna = await signInAs(here, 'owner', { name: 'Hanna' })
    const made = await hanna.send('post', '/sites').send({ slug: 'second' }).expect(201)
    world = { here, elsewhere, hanna, otherSite: made.body.data.id, clientId: await registerClient(here) }
  })
  after(() => world.here.stop())

  it('follows ten rules', () => assert.equal(RULES.length, 10))

  for (const { make, ...way } of WAYS)
    it(`${way.name} holds as long as the rules say`, async () => {
      const wrong: string[] = []
      for (const { happen, ...loss } of LOSSES) {
        const people = await meet(world)
        const made = await make(world, people)
        await happen(world, people, made)
        const found = await made.attempt()
        const demanded = demand(way, loss)
        if (found !== demanded) wrong.push(`${loss.name}: “${found}”, not “${demanded}”`)
      }
      assert.deepEqual(wrong, [])
    })
})
