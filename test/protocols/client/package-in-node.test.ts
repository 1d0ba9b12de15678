import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startTestService, type TestService } from '../../support/service.js'
import { InstalledPackage } from './installed-package.js'
import { NODE_PROGRAM, PROGRAM, SAME_TYPES } from './package-programs.js'

type Work = (baseUrl: string, key: string) => Promise<string[]>
type Publish = (baseUrl: string, key: string, folder: string) => Promise<number>

describe('the package of the client', () => {
  let client: InstalledPackage
  let service: TestService

  before(async () => {
    client = new InstalledPackage()
    client.compile('program.ts', PROGRAM)
    service = await startTestService()
  })
  after(async () => {
    await service?.stop()
    client.remove()
  })

  it('is small, and contains no code of the service', () => {
    const { packed } = client
    assert.ok(packed.size > 5_000 && packed.size < 100_000, `${packed.size} bytes`)
    for (const name of ['README.md', 'LICENSE', 'client.js', 'client.d.ts', 'node/read-folder.js'])
      assert.ok(packed.names.includes(name), name)
    for (const name of packed.names) assert.match(name, /^(?:node\/)?[\w-]+\.(?:js|d\.ts|md|json)$|^LICENSE$/)
  })

  it('publishes, lists, and names the code of a refusal, in Node', async () => {
    const { work } = await client.load<{ work: Work }>('program.js')
    assert.deepEqual(await work(service.origin, service.key), ['/first', '/', '/first', 'page_exists'])
  })

  it('publishes a folder as one commit, in Node', async () => {
    client.compile('node-program.ts', NODE_PROGRAM)
    const { publish } = await client.load<{ publish: Publish }>('node-program.js')
    mkdirSync(join(client.folder, 'site'))
    writeFileSync(join(client.folder, 'site/deployed.html'), '<h1>Deployed</h1>')
    assert.equal(await publish(service.origin, service.key, join(client.folder, 'site')), 1)
    await service.visit('/deployed').expect(200)
  })

  it('has the types of the route table', () => {
    const typeRoots = [resolve('node_modules/@types')]
    client.compile('same.ts', SAME_TYPES, { noEmit: true, skipLibCheck: true, types: ['node'], typeRoots })
  })
})
