import assert from 'node:assert/strict'
import { runCommand } from '../../scenarios/commands.js'
import { put } from '../../scenarios/client.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { wordsOfChange } from '../../../src/model/change-words.js'
import { ageOf } from '../../../src/cli/terminal/age.js'

describe('palimpsest history', () => {
  let service: TestService

  before(async () => {
    service = await startOwnService()
    for (const text of ['one', 'two']) await put(service.api(), '/about', `<p>${text}</p>`)
    await put(service.api(), '/other', '<p>other</p>')
    await service.api().put('/files?path=/style.css').set('Content-Type', 'text/css').send('p {}').expect(201)
  })
  after(() => service.stop())

  const history = (...args: string[]) =>
    runCommand({
      args: ['history', ...args],
      env: { PATH: process.env['PATH'], BASE_URL: service.origin, SERVICE_API_TOKEN: service.key },
    })
  /** Returns the author and the act of each, newest first. */
  const rows = (stdout: string) =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t').slice(1, 3).join(' '))

  it('says who did what in a site, the newest first', async () => {
    const { code, stdout, stderr } = await history()
    assert.deepEqual([code, stderr], [0, ''])
    const [newest, second, third, fourth] = rows(stdout)
    const author = 'Test key'
    assert.deepEqual(
      [newest, second, third, fourth],
      [
        `${author} added /style.css`,
        `${author} published /other`,
        `${author} changed /about`,
        `${author} published /about`,
      ],
    )
    assert.match(stdout, /^\d{4}-\d\d-\d\dT\S+\t.*\t[0-9a-f]{40}\n/)
  })

  it('says what happened to one page, by path or id, and to one file', async () => {
    const about = ['Test key changed /about', 'Test key published /about']
    const { body } = await service.api().get('/pages?path=/about').expect(200)
    const [{ id } = { id: '' }] = (body as { data: { id: string }[] }).data
    for (const page of ['/about', id]) assert.deepEqual(rows((await history(page)).stdout), about)
    assert.deepEqual(rows((await history('/style.css')).stdout), ['Test key added /style.css'])
  })

  it('says that there never was such a page', async () => {
    const { code, stderr } = await history('/nowhere')
    assert.deepEqual([code, stderr], [2, 'palimpsest: The site never had a page or a file at /nowhere.\n'])
  })
})

describe('the words of a change', () => {
  it('are those of a person for what the service did', () => {
    for (const [message, words] of [
      ['Replace /about', 'changed /about'],
      ['New hours\n\nReplace /about', 'changed /about: “New hours”'],
      ['Roll back /a to 0123456789', 'went back to an earlier version of /a'],
      ['Move /a to /b', 'moved /a to /b'],
      ['Change 2 pages and 1 file\n\n- Publish /a\n- Publish /b', 'changed 2 pages and 1 file'],
      ['Deploy 12 files', 'published a folder of 12 files'],
      ['Replace record 7ddeba3a in books', 'changed a record of books'],
      ['Revert "Replace /about"', 'took back “changed /about”'],
      ['Fix the menu\n\nIt was wrong.', '“Fix the menu”'],
    ] as const)
      assert.equal(wordsOfChange(message), words)
  })

  it('count the time back from now, and know no future', () => {
    const now = Date.parse('2026-11-28T12:00:00Z')
    for (const [time, words] of [
      ['2026-11-28T11:59:30Z', 'just now'],
      ['2026-11-28T13:00:00Z', 'just now'],
      ['2026-11-28T11:58:00Z', '2 minutes ago'],
      ['2026-11-27T11:00:00Z', 'yesterday'],
      ['2024-11-01T00:00:00Z', '2 years ago'],
    ] as const)
      assert.equal(ageOf(time, now), words)
  })
})
