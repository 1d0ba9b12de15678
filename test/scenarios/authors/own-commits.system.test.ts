import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rotateKey } from '../../../src/repository/disk/signing-key.js'
import { git, withClone } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { put } from '../client.js'

interface Commit {
  id: string
  subject: string
}

describe("the signatures of a key's own commits", () => {
  let service: TestService
  beforeEach(async () => {
    service = await startOwnService()
  })
  afterEach(() => service.stop())

  const list = async (query: string, key?: string) => {
    const { body } = await service.api(key).get(`/sites/${service.site.id}/commits?${query}`).expect(200)
    return body as { data: Commit[] }
  }
  const subjects = async (query: string, key?: string) => (await list(query, key)).data.map(({ subject }) => subject)

  it('survive a restart, a rebuilt index, and a new signing key', async () => {
    await put(service.api(), '/a', 'one')
    const before = await list('')
    const { dataDir, key } = service
    await service.server.stop()
    rmSync(join(dataDir, 'index'), { recursive: true })
    rmSync(join(dataDir, 'signing', 'key.pem'))
    service = await startOwnService({ dataDir })
    assert.deepEqual((await list('', key)).data, before.data)
    await put(service.api(key), '/a', 'two')
    assert.deepEqual(await subjects('author=me', key), ['Replace /a', 'Publish /a'])
    git(
      service.gitdir(),
      '-c',
      'gpg.format=ssh',
      '-c',
      `gpg.ssh.allowedSignersFile=${dataDir}/signing/allowed_signers`,
      'verify-commit',
      'main',
      'main~1',
    )
  })

  it('stay valid when the key is rotated while the service runs, in a clone too', async () => {
    await put(service.api(), '/a', 'one')
    await rotateKey(service.dataDir, { now: nowSeconds })
    await put(service.api(), '/b', 'two')
    await rotateKey(service.dataDir, { now: nowSeconds })
    assert.deepEqual(await signatures(), ['G', 'G'])
    assert.deepEqual(await subjects('author=me'), ['Publish /b', 'Publish /a'])
  })

  it('are on the commit of a published change request', async () => {
    const { body } = await service.api().post('/pages?changeRequest=new').send({ path: '/a', html: 'one' }).expect(201)
    const { changeRequest } = body as { changeRequest: string }
    await put(service.api(), '/b', 'two')
    await service.api().post(`/change-requests/${changeRequest}/publish`).send({}).expect(200)
    assert.deepEqual(await subjects('author=me'), ['Changes by Test key', 'Publish /b'])
    assert.deepEqual(await signatures(), ['G', 'G'])
  })

  it('are invalid if they were made after their key was compromised', async () => {
    await put(service.api(), '/a', 'one')
    await rotateKey(service.dataDir, { now: nowSeconds, until: nowSeconds() - 60 })
    await put(service.api(), '/b', 'two')
    assert.deepEqual(await signatures(), ['G', 'U'])
    const { dataDir, key } = service
    await service.server.stop()
    rmSync(join(dataDir, 'index'), { recursive: true })
    service = await startOwnService({ dataDir })
    assert.deepEqual(await subjects('author=me', key), ['Publish /b'])
  })

  /** Verifies the two newest commits in a clone, with the published keys: G is a good signature, U one of an unknown signer. */
  async function signatures(): Promise<string[]> {
    const answer = await fetch(`${service.origin}/allowed_signers`)
    return await withClone(service.gitdir(), async (folder) => {
      const keys = join(folder, '.git', 'allowed_signers')
      writeFileSync(keys, await answer.text())
      const settings = ['-c', 'gpg.format=ssh', '-c', `gpg.ssh.allowedSignersFile=${keys}`]
      return git(folder, ...settings, 'log', '-2', '--format=%G?').split('\n')
    })
  }
})

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
