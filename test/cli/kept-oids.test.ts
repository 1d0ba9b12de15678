import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KeptOids } from '../../src/cli/local/kept-oids.js'
import { readFolder } from '../../src/protocols/client/node/read-folder.js'
import { within } from '../support/within.js'

const LONG_AGO = new Date('2026-01-01T00:00:00Z')
const MAX_WAIT_MS = 60_000

describe('the oids that are kept of a folder', () => {
  let home: string
  let folder: string

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'palimpsest-kept-'))
    folder = join(home, 'site')
    mkdirSync(folder)
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))

  const cache = () => join(home, 'palimpsest')
  const file = () => join(cache(), readdirSync(cache())[0] ?? '')
  const write = (text: string) => {
    writeFileSync(join(folder, 'a.html'), text)
    utimesSync(join(folder, 'a.html'), LONG_AGO, LONG_AGO)
  }
  async function read(): Promise<string | undefined> {
    const known = new KeptOids(folder, { XDG_CACHE_HOME: home })
    const { files } = await readFolder(folder, { known })
    known.store()
    return files[0]?.oid
  }
  /** A file is kept once its last change is two seconds old. */
  const readUntilKept = () =>
    within(MAX_WAIT_MS, async () => {
      await read()
      assert.equal(readdirSync(cache()).length, 1)
    })

  it('are taken for files that have not changed, which are not read again', async () => {
    write('<p>one</p>')
    await readUntilKept()
    const own = (await read()) ?? ''
    const other = '0'.repeat(40)
    writeFileSync(file(), readFileSync(file(), 'utf8').replace(own, other))
    assert.equal(await read(), other)
  })

  it('are not taken for a file that changed, though its size and time are the same', async () => {
    write('<p>one</p>')
    await readUntilKept()
    const before = await read()
    write('<p>two</p>')
    assert.notEqual(await read(), before)
  })

  it('are not kept of a file that changed at this moment', async () => {
    write('<p>one</p>')
    await read()
    assert.throws(() => readdirSync(cache()), { code: 'ENOENT' })
  })

  it('are made again if their file is damaged, or cannot be written', async () => {
    write('<p>one</p>')
    await readUntilKept()
    const own = await read()
    for (const damaged of ['', '{', '{"form":1}', '{"form":0,"files":{}}', '[]', 'null']) {
      writeFileSync(file(), damaged)
      assert.equal(await read(), own)
    }
    rmSync(cache(), { recursive: true })
    writeFileSync(cache(), 'in the way')
    assert.equal(await read(), own)
  })
})
