// How many mirrors are pushed to at once, and whose turn it is.

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import type { Admission } from '../../../src/admission/admission.js'
import type { GateName } from '../../../src/admission/gate-rows.js'
import { git } from '../../support/git.js'
import { MirrorGround, type MirroredSite } from './mirror-ground.js'

describe('the mirrors of many sites', () => {
  const ground = new MirrorGround()
  const { root, remote } = ground
  let admission: Admission
  /** Requests to remotes that hang. */
  let hanging: ServerResponse[]
  let release = () => {}

  before(async () => {
    await ground.start()
    admission = ground.service.server.service.services.admission
  })
  after(async () => await ground.stop())
  beforeEach(() => {
    hanging = []
    remote.options = { root }
    release = () => {
      remote.options = { root }
      for (const response of hanging) response.destroy()
    }
  })
  afterEach(() => release())

  const figures = (name: GateName) => {
    const { running, waiting } = admission.gate(name).figures
    return { running, waiting }
  }
  const isWaiting = (running: number, waiting: number) =>
    ground.eventually(`not ${running} and ${waiting}`, () => {
      const now = figures('mirrors')
      return now.running === running && now.waiting === waiting
    })
  /** Lets the remotes of these sites hang. */
  const hang = (...mirrored: readonly MirroredSite[]) => {
    const urls = mirrored.map(({ url }) => new URL(url).pathname)
    remote.options = {
      root,
      intercept: ({ url = '' }, response) => {
        const isHanging = urls.some((one) => url.startsWith(`${one}/`))
        if (isHanging) hanging.push(response)
        return isHanging
      },
    }
  }
  const follow = async ({ site }: MirroredSite) => await ground.until(site, 'ok')

  it('go on in other workspaces while two remotes of one hang, and the others of that one wait', async () => {
    const [one, two, three] = [await ground.make(), await ground.make(), await ground.make()]
    hang(one, two)
    for (const { site, url } of [one, two]) await ground.set(site, url)
    await isWaiting(2, 0)
    await ground.set(three.site, three.url)
    await isWaiting(2, 1)
    assert.equal((await ground.look(three.site)).state, 'behind')
    const service = await ground.service.inNewWorkspace()
    const other = service.api((await service.mint({ scopes: ['admin'] })).key)
    const { url } = await ground.make()
    await other.put(`/sites/${service.site.id}/mirror`).send({ url }).expect(200)
    await ground.eventually(
      'the other mirror does not follow',
      () => service.server.service.services.catalog.mirrors.find(service.site.id)?.state === 'ok',
    )
    release()
    await follow(three)
    ground.assertFollows(three.site, three.bare)
  })

  it('make room for others to begin once a push takes longer than five seconds', async () => {
    const slow = await ground.make()
    hang(slow)
    await ground.set(slow.site, slow.url)
    await ground.eventually('it is not pushed to', () => figures('starting-pushes').running === 1)
    await ground.eventually('it still counts as new', () => figures('starting-pushes').running === 0)
    assert.equal(figures('mirrors').running, 1)
  })

  it('are not put off by moves without a pause', async () => {
    const mirrored = await ground.make()
    await ground.set(mirrored.site, mirrored.url)
    await follow(mirrored)
    const first = git(mirrored.bare, 'rev-parse', 'main')
    let pages = 0
    for (; git(mirrored.bare, 'rev-parse', 'main') === first; pages++) await ground.publish(mirrored.site, `/p${pages}`)
    assert.ok(pages > 0)
    await follow(mirrored)
  })
})
