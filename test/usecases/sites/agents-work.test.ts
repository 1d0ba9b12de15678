import assert from 'node:assert/strict'
import { publishAs } from '../../support/people/as-agent.js'
import { signInAs, type SignedIn } from '../../support/people/sign-in-as.js'
import { startTestService, type TestService } from '../../support/service.js'

interface Listed {
  subject: string
  author: string
  maker?: string
  page?: { id: string; path: string; title: string | null }
  agent?: { id: string; name: string; userId: string }
}

describe('the work of agents in the history of a site', () => {
  let service: TestService
  let owner: SignedIn
  const one = { id: '0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a', client: 'Claude' }
  const other = { id: '0b0b0b0b-0b0b-4b0b-8b0b-0b0b0b0b0b0b', client: 'ChatGPT' }

  before(async () => {
    service = await startTestService()
    owner = await signInAs(service, 'owner', { name: 'Olga' })
    const { userId } = owner
    await publishAs(service, { ...one, userId }, { path: '/by-one', html: 'a', reason: 'Add a page' })
    await owner.send('put', '/pages?path=/by-hand').send({ html: 'b' }).expect(201)
    await publishAs(service, { ...other, userId }, { path: '/by-other', html: 'c', reason: 'Add another' })
  })
  after(() => service.stop())

  const list = async (query: string): Promise<Listed[]> => {
    const { body } = await owner.send('get', `/sites/${service.site.id}/commits?${query}`).expect(200)
    return (body as { data: Listed[] }).data
  }

  it('is listed for all agents or for one, with the agent, its person and the reason', async () => {
    const { userId } = owner
    const all = await list('agent=all')
    assert.deepEqual(
      all.map(({ subject, author, agent }) => [subject, author, agent]),
      [
        ['Add another', 'Olga', { id: other.id, name: 'ChatGPT', userId }],
        ['Add a page', 'Olga', { id: one.id, name: 'Claude', userId }],
      ],
    )
    assert.deepEqual(
      (await list(`agent=${one.id.toUpperCase()}`)).map(({ subject }) => subject),
      ['Add a page'],
    )
    assert.deepEqual(await list('agent=nobody'), [])
  })

  it('is in parts as the whole history is', async () => {
    const first = await owner.send('get', `/sites/${service.site.id}/commits?agent=all&limit=1`).expect(200)
    const rest = await list(`agent=all&limit=1&cursor=${first.body.paging.nextCursor}`)
    assert.deepEqual(
      rest.map(({ subject }) => subject),
      ['Add a page'],
    )
  })

  it('is marked in the whole history, where a commit by hand has no agent', async () => {
    const all = await list('limit=3')
    assert.deepEqual(
      all.map(({ agent }) => agent?.name),
      ['ChatGPT', undefined, 'Claude'],
    )
  })

  it('says what made each commit, and names its page as it is now', async () => {
    await service.api().put('/pages?path=/by-key').send({ html: '<title>Old</title>' }).expect(201)
    await service.api().put('/pages?path=/by-key').send({ html: '<title>New</title>' }).expect(200)
    const told = (await list('limit=3')).map(({ maker, page }) => [maker, page?.path, page?.title])
    assert.deepEqual(told, [
      ['key', '/by-key', 'New'],
      ['key', '/by-key', 'New'],
      ['agent', '/by-other', null],
    ])
    const [, , , byHand] = await list('limit=4')
    assert.equal(byHand?.maker, 'person')
  })

  it('is marked in the versions of a page', async () => {
    const [, , { page } = {}] = await list('limit=3')
    const { body } = await owner.send('get', `/pages/${page?.id}/versions`).expect(200)
    const [version] = (body as { data: Listed[] }).data
    assert.deepEqual([version?.maker, version?.agent?.name], ['agent', 'ChatGPT'])
  })
})
