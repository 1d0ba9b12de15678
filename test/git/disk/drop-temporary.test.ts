import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dropTemporary } from '../../../src/git/disk/drop-temporary.js'
import { useTemporaryFolders } from '../../catalog/temporary-folder.js'

describe('a temporary folder', () => {
  const makeFolder = useTemporaryFolders()

  it('goes with the next one if it could not be removed after use, which fails nothing', async () => {
    const folder = makeFolder()
    const way = join(folder, 'way')
    mkdirSync(join(folder, 'made/first'), { recursive: true })
    writeFileSync(join(folder, 'made/first/file'), '')
    // A link to itself leads nowhere, for root too.
    symlinkSync(way, way)
    await dropTemporary(join(way, 'first'))
    rmSync(way)
    symlinkSync(join(folder, 'made'), way)
    writeFileSync(join(folder, 'made/next'), '')
    await dropTemporary(join(folder, 'made/next'))
    assert.deepEqual(readdirSync(join(folder, 'made')), [])
  })
})
