import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('contains the program, the dashboard and the client, but no sources, tests or source maps', () => {
    for (const name of [
      'dist/program/bin/palimpsest.js',
      'dist/program/repository/hooks/pre-receive.sh',
      'dist/program/repository/hooks/push-judge.js',
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
})
