import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import supertest from 'supertest'
import { endProcesses, serve } from '../scenarios/serve-process.js'
import { npmPack } from '../support/npm/pack.js'

describe('the package of the service, unpacked by tar', () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-package-'))
  after(async () => {
    await endProcesses(folder)
  })

  it('starts, and serves the API, its reference, the dashboard and sites', async () => {
    const packed = npmPack(folder, '.').get('palimpsest')
    assert.ok(packed)
    const installed = join(folder, 'node_modules')
    mkdirSync(installed)
    execFileSync('tar', ['-xzf', packed.tarball, '-C', installed])
    // The one library that is not in the bundle, because it has a native part.
    mkdirSync(join(installed, '@photostructure'))
    symlinkSync(resolve('node_modules/@photostructure/sqlite'), join(installed, '@photostructure/sqlite'))
    const main = join(installed, 'package/dist/program/bin/palimpsest.js')
    const service = await serve({ main, dataDir: join(folder, 'data'), cwd: folder })
    for (const path of ['/healthz', '/docs', '/docs/reference.css', '/'])
      assert.equal((await fetch(service.origin + path)).status, 200, path)
    await supertest(service.origin).get('/').set('Host', `demo.localhost:${service.port}`).expect(200)
    service.signal('SIGTERM')
    await service.ended
  })
})
