import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import supertest from 'supertest'
import { endProcesses, serve } from '../scenarios/serve-process.js'
import { type Packed, npmPack } from '../support/npm/pack.js'

describe('the package of the service', () => {
  let folder: string
  let packed: Packed
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-package-'))
    const found = npmPack(folder, '.').get('palimpsest')
    assert.ok(found)
    packed = found
  })
  after(async () => {
    await endProcesses()
    rmSync(folder, { recursive: true, force: true })
  })

  it('holds the program, the dashboard and the client, and neither sources nor tests nor source maps', () => {
    for (const name of [
      'dist/program/bin/palimpsest.js',
      'dist/program/store/hooks/pre-receive.sh',
      'dist/dashboard-ui/index.html',
      'dist/docs-ui/reference.css',
      'dist/client-package/client.js',
      'README.md',
      'LICENSE',
    ])
      assert.ok(packed.names.includes(name), name)
    const isOfFolders = (name: string) => /^dist\/(?:program|dashboard-ui|docs-ui|client-package)\//.test(name)
    const odd = packed.names.filter(
      (name) => (name.includes('/') && !isOfFolders(name)) || /\.map$|(?<!\.d)\.ts$|\.test\.|bench/.test(name),
    )
    assert.deepEqual(odd, [])
  })

  it('starts, and serves the API, its reference, the dashboard and sites', async () => {
    const installed = join(folder, 'node_modules')
    mkdirSync(installed)
    execFileSync('tar', ['-xzf', packed.tarball, '-C', installed])
    // The one library that is not in the bundle, because it has a native part.
    symlinkSync(resolve('node_modules/libsql'), join(installed, 'libsql'))
    const main = join(installed, 'package/dist/program/bin/palimpsest.js')
    const service = await serve({ main, dataDir: join(folder, 'data'), cwd: folder })
    for (const path of ['/healthz', '/docs', '/docs/reference.css', '/'])
      assert.equal((await fetch(service.origin + path)).status, 200, path)
    await supertest(service.origin).get('/').set('Host', `demo.localhost:${service.port}`).expect(200)
    service.signal('SIGTERM')
    await service.ended
  })
})
