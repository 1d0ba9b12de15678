import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { PATIENCE_MS, within } from '../support/within.js'
import { Hosting } from '../protocols/host/hosting.js'

const MEBIBYTE = 1024 * 1024

describe('large files that git stores as deltas', () => {
  const hosting = new Hosting()
  const film = randomBytes(20 * MEBIBYTE)
  const files = { 'film.bin': film, 'cut.bin': Buffer.concat([film.subarray(MEBIBYTE), Buffer.from('the end')]) }

  before(async () => {
    for (const slug of ['greedy', 'other']) {
      await hosting.createSite(slug, files)
      hosting.git(slug, ['repack', '-adfq'])
    }
    await hosting.start()
  })
  after(() => hosting.stop())

  /** The one of the two files that is stored as a difference from the other. */
  function differenceIn(slug: string): keyof typeof files {
    const format = '--batch-check=%(objectname) %(deltabase)'
    const objects = hosting.git(slug, ['cat-file', '--batch-all-objects', format]).split('\n')
    const oidOf = (name: string) => hosting.git(slug, ['rev-parse', `main:${name}`])
    const name = (['film.bin', 'cut.bin'] as const).find((each) =>
      objects.some((line) => line.startsWith(oidOf(each)) && !/ 0+$/.test(line)),
    )
    assert.ok(name)
    return name
  }

  it('are sent to one visitor of a site at a time, since git holds each in memory, while other sites have room for theirs', async () => {
    const [name, others] = [differenceIn('greedy'), differenceIn('other')]
    const unread = hosting.connect('127.0.0.9')
    unread.write(`GET /${name} HTTP/1.1\r\nHost: greedy.site.test\r\n\r\n`)
    await once(unread, 'readable')

    assert.equal((await hosting.ask('greedy', `/${name}`)).status, 503)
    assert.ok((await hosting.ask('other', `/${others}`)).body.equals(files[others]))

    unread.destroy()
    await within(PATIENCE_MS, async () => assert.equal((await hosting.ask('greedy', `/${name}`)).status, 200))
  })

  it('are sent to several visitors at once if they are stored whole', async () => {
    const name = differenceIn('greedy') === 'film.bin' ? 'cut.bin' : 'film.bin'
    const asked = Array.from({ length: 4 }, () => hosting.ask('greedy', `/${name}`))
    for (const { body } of await Promise.all(asked)) assert.ok(body.equals(files[name]))
  })
})
