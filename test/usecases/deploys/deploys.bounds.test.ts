import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { hashObject } from '../../../src/git/objects/object.js'
import { createDeploy, deleteDeploy, listDeploys } from '../../../src/usecases/deploys/deploys.js'
import { publishDeploy } from '../../../src/usecases/deploys/publish-deploy.js'
import { putBlob } from '../../../src/usecases/deploys/receive-blobs.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'

const PUBLISHED = 1000
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

describe('the deploys that a workspace has published', () => {
  let parts: ServiceParts
  before(async () => {
    parts = await openServiceParts()
  })
  after(() => parts.stop())

  it('are remembered up to a thousand; then the oldest makes room for the next', async () => {
    const { services, workspaceId, site } = parts
    const createdAt = Math.floor(services.clock().getTime() / 1000) - PUBLISHED
    const common = { siteId: site.id, mode: 'merge', message: null, ifHead: null, files: [] } as const
    const add = (of: string, number: number) =>
      services.deploys.create({
        ...common,
        id: idOf(number),
        workspaceId: of,
        createdAt: createdAt + (number % PUBLISHED),
        expiresAt: createdAt + 86_400,
        published: { commit: site.id },
      })
    for (let number = 0; number < PUBLISHED; number++) add(workspaceId, number)
    add('another workspace', PUBLISHED)
    const { data: made } = await createDeploy(
      { ...services, ...parts.context() },
      {
        files: { 'new.txt': { oid: '1'.repeat(40), size: 1 } },
      },
    )
    const ids = services.deploys.list(workspaceId).map(({ id }) => id)
    assert.equal(ids.length, PUBLISHED)
    assert.deepEqual([ids[0], ids.at(-1)], [made.id, idOf(1)])
    assert.equal(services.deploys.list('another workspace').length, 1)
    await deleteDeploy({ ...services, ...parts.context() }, { id: made.id })
    assert.equal(listDeploys({ ...services, ...parts.context() }, { limit: 1 }).data[0]?.id, idOf(PUBLISHED - 1))
  })

  it('refuse an upload that was under way meanwhile, and keep nothing of it', async () => {
    const { services } = parts
    const context = parts.context()
    const bytes = Buffer.from('the same bytes, twice')
    const oid = hashObject('blob', bytes)
    const { data } = await createDeploy(
      { ...services, ...context },
      { files: { 'a.txt': { oid, size: bytes.length } } },
    )
    const send = (between: () => Promise<unknown>) =>
      putBlob(
        { ...services, ...context },
        {
          id: data.id,
          oid,
          bytes: {
            size: bytes.length,
            chunks: (async function* () {
              yield bytes.subarray(0, 8)
              await between()
              yield bytes.subarray(8)
            })(),
          },
        },
      )
    const publish = async () => {
      await send(async () => undefined)
      await publishDeploy({ ...services, ...context }, { id: data.id })
    }
    await assert.rejects(send(publish), refusal('conflict'))
    assert.deepEqual(readdirSync(services.deploys.folderOf(data.id)), ['deploy.json'])
  })
})
