// `palimpsest publish <folder>` on a terminal, in a folder that is linked to no site.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startOwnService, type TestService } from '../../support/service.js'
import { startOnTerminal } from '../on-terminal.js'

const ENTER = '\r'
const CTRL_C = '\u0003'

describe('publishing an unlinked folder on a terminal', () => {
  let service: TestService
  let folder: string
  let admin: string

  before(async () => {
    service = await startOwnService()
    admin = (await service.mint({ scopes: ['admin'] })).key
    await service.api(admin).post('/sites').send({ slug: 'notes', name: 'Our Diary' }).expect(201)
  })
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'palimpsest-asking-')), 'Café Nord')
    mkdirSync(join(folder, 'dist'), { recursive: true })
    writeFileSync(join(folder, 'dist/index.html'), '<h1>Café</h1>')
  })
  afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))
  after(() => service.stop())

  const publish = (key: string, ...more: string[]) => {
    const env = { HOME: join(folder, '..'), TERM: 'xterm-256color', PALIMPSEST_TOKEN: key, BASE_URL: service.origin }
    return startOnTerminal(['publish', 'dist', ...more], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...env },
    })
  }
  const link = () => JSON.parse(readFileSync(join(folder, '.palimpsest.json'), 'utf8')) as { site: string }

  it('asks for the site, finds it by letters of its name, and asks no second time', async () => {
    const terminal = publish(admin)
    await terminal.shows('new…')
    // The new one is offered after what is found.
    terminal.type(`diar${ENTER}`)
    const { code, stdout } = await terminal.ended
    assert.equal(code, 0, stdout)
    assert.match(stdout, /Which site\?[^]*mean notes now[^]*Publishing dist to notes/)
    assert.deepEqual(link(), { site: 'notes' })
    await service.visit('/', 'notes').expect(200, '<h1>Café</h1>')
    const again = await publish(admin).ended
    assert.equal(again.code, 0, again.stdout)
    assert.doesNotMatch(again.stdout, /Which site/)
  })

  it('makes a new site, with a name from that of the project, and asks again for a name that is taken', async () => {
    const terminal = publish(admin)
    await terminal.shows('new…')
    terminal.type(`new${ENTER}`)
    await terminal.shows('cafe-nord')
    terminal.type(`${'\u007f'.repeat('cafe-nord'.length)}notes${ENTER}`)
    // Asked, answered, refused, and asked again.
    await terminal.shows('is or was in use')
    await terminal.shows('Name of the new site', 3)
    terminal.type(`-of-nord${ENTER}`)
    const { code, stdout } = await terminal.ended
    assert.equal(code, 0, stdout)
    assert.deepEqual(link(), { site: 'notes-of-nord' })
    await service.visit('/', 'notes-of-nord').expect(200, '<h1>Café</h1>')
  })

  it('offers no new site to a key that may make none, and publishes nothing after Ctrl-C', async () => {
    const terminal = publish(service.key)
    await terminal.shows('Which site?')
    await terminal.shows('Our Diary (notes)')
    terminal.type(CTRL_C)
    const { code, stdout } = await terminal.ended
    assert.equal(code, 130, stdout)
    assert.match(stdout, /Nothing was published\./)
    assert.doesNotMatch(stdout, /new…/)
    assert.ok(!existsSync(join(folder, '.palimpsest.json')))
  })

  it('asks nothing where --site or --yes is given', async () => {
    for (const more of [['--site', 'notes'], ['--yes']]) {
      const { code, stdout } = await publish(admin, ...more).ended
      assert.equal(code, 0, stdout)
      assert.doesNotMatch(stdout, /Which site/)
    }
  })
})
