import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { TextFiles } from '../../../src/index/text/text-file.js'
import { siteFileOf } from '../../../src/index/tables/site-file.js'
import { useTemporaryFolders } from '../../catalog/temporary-folder.js'

const SITE = '5b2c6a1e-0d3f-4c55-9b6a-1f2e3d4c5b6a'

describe("the file of a site's text", () => {
  const makeFolder = useTemporaryFolders()

  it('is created by its writer, never by a reader', () => {
    const dataDir = makeFolder()
    const { path } = siteFileOf(dataDir, SITE, 'text')
    mkdirSync(dirname(path), { recursive: true })
    const reader = new TextFiles(dataDir, true)
    assert.equal(reader.find(SITE), undefined)
    assert.deepEqual(readdirSync(dirname(path)), [])
    writeFileSync(path, '')
    assert.equal(reader.find(SITE), undefined)
  })

  it('shows readers the newest content', () => {
    const dataDir = makeFolder()
    const [writer, reader] = [new TextFiles(dataDir), new TextFiles(dataDir, true)]
    writer.open(SITE).run('UPDATE progress SET position = 7', [])
    assert.equal(reader.find(SITE)?.first<{ position: number }>('SELECT position FROM progress', [])?.position, 7)
    for (const texts of [writer, reader]) texts.close()
  })
})
