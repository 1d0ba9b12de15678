import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KeptPictures } from '../../../../src/protocols/host/pictures/kept-pictures.js'
import { until } from '../../../support/within.js'

const SIZE = 10_000
/** Room for three. */
const ROOM = 3 * (SIZE + 4096)

describe('the smaller pictures on disk', () => {
  let folder: string
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'kept-pictures-')), 'pictures')
  })
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

  const picture = (name: string) => Buffer.alloc(SIZE, name)
  const keepAll = async (kept: KeptPictures, names: readonly string[]) => {
    for (const name of names) await kept.keep(`site/${name}`, picture(name))
  }

  it('make room for a new one by the one that nobody asked for the longest', async () => {
    const kept = new KeptPictures(folder, ROOM)
    await keepAll(kept, ['a', 'b', 'c'])
    assert.deepEqual(await kept.find('site/a'), picture('a'))
    await keepAll(kept, ['d'])
    await until(
      () => existsSync(join(folder, 'site/b')),
      (isThere) => !isThere,
    )
    assert.equal(await kept.find('site/b'), undefined)
    for (const name of ['a', 'c', 'd']) assert.deepEqual(await kept.find(`site/${name}`), picture(name))
  })

  it('are those of an earlier process too, without the file that it did not finish', async () => {
    await keepAll(new KeptPictures(folder, ROOM), ['a', 'b'])
    writeFileSync(join(folder, 'site/c.new'), 'a part')
    const kept = new KeptPictures(folder, ROOM)
    assert.deepEqual(await kept.find('site/b'), picture('b'))
    assert.equal(await kept.find('site/c.new'), undefined)
    await until(
      () => existsSync(join(folder, 'site/c.new')),
      (isThere) => !isThere,
    )
  })

  it('are not kept where the disk refuses, and nobody is told', async () => {
    mkdirSync(join(folder, '..'), { recursive: true })
    writeFileSync(folder, 'a file in place of the folder')
    const kept = new KeptPictures(folder, ROOM)
    await keepAll(kept, ['a'])
    assert.equal(await kept.find('site/a'), undefined)
  })
})
