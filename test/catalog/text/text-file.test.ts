import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { openTextToRead, TextFile, textFileOf } from '../../../src/catalog/text/text-file.js'
import { useTemporaryFolders } from '../temporary-folder.js'

const SITE = '5b2c6a1e-0d3f-4c55-9b6a-1f2e3d4c5b6a'

describe("the file of a site's text", () => {
  const makeFolder = useTemporaryFolders()

  it('is made by who fills it, never by who reads it', () => {
    const dataDir = makeFolder()
    const path = textFileOf(dataDir, SITE)
    mkdirSync(dirname(path), { recursive: true })
    // What another one is about to put in place.
    writeFileSync(`${path}-wal`, '')
    assert.throws(() => openTextToRead(dataDir, SITE), { code: 'SQLITE_CANTOPEN' })
    assert.deepEqual(readdirSync(dirname(path)), [`${SITE}.db-wal`])
    writeFileSync(path, '')
    assert.equal(openTextToRead(dataDir, SITE), undefined)
  })

  it('shows who reads it what was stored last', () => {
    const dataDir = makeFolder()
    const file = new TextFile(dataDir, SITE)
    file.sql.run('UPDATE progress SET position = 7', [])
    const reader = openTextToRead(dataDir, SITE)
    assert.ok(reader)
    assert.equal(reader.prepare<{ position: number }>('SELECT position FROM progress').all([])[0]?.position, 7)
    reader.close()
    file.close()
  })
})
