import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { placeOfLink, suggestSlug } from '../../../src/cli/authors/ask-site.js'
import { isSlug } from '../../../src/model/hosts/slug.js'
import { runCommand } from '../../scenarios/commands.js'
import { startOwnService } from '../../support/service.js'

describe('the site of a folder', () => {
  it('is named after the folder, or after the project around one that a build makes', () => {
    for (const [folder, slug] of [
      ['/projects/chess-club', 'chess-club'],
      ['/projects/Chess Club/dist', 'chess-club'],
      ['/projects/Über uns/_site', 'uber-uns'],
      ['/projects/notes_2026--old.', 'notes-2026-old'],
      ['/projects/東京', ''],
    ] as const)
      assert.equal(suggestSlug(folder), slug)
    const long = suggestSlug(`/projects/${'a'.repeat(39)}-b`)
    assert.ok(isSlug(long), long)
  })

  it('is linked to the current folder if that holds the published one, but never to a home folder', () => {
    assert.equal(placeOfLink('dist', '/projects/club', '/home/ada'), '/projects/club')
    assert.equal(placeOfLink('.', '/projects/club', '/home/ada'), '/projects/club')
    assert.equal(placeOfLink('../other', '/projects/club', '/home/ada'), '/projects/other')
    assert.equal(placeOfLink('site', '/home/ada', '/home/ada'), '/home/ada/site')
    assert.equal(placeOfLink('srv', '/', '/home/ada'), '/srv')
  })

  it('is asked for in one line where there is no terminal and no default site', async () => {
    const service = await startOwnService()
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-no-default-'))
    try {
      writeFileSync(join(folder, 'a.html'), '<p>a</p>')
      const { key } = await service.mint({ scopes: ['admin'] })
      const ids: string[] = []
      for (const slug of ['one', 'two']) {
        const { body } = await service.api(key).post('/sites').send({ slug }).expect(201)
        ids.push((body as { data: { id: string } }).data.id)
      }
      const limited = (await service.mint({ scopes: ['write'], sites: ids })).key
      const env = { PATH: process.env['PATH'], HOME: folder, BASE_URL: service.origin, SERVICE_API_TOKEN: limited }
      const { code, stderr } = await runCommand({ args: ['publish', folder], env })
      assert.equal(code, 2)
      assert.match(
        stderr,
        /^palimpsest: The key sees no default site: add "--site <slug>", or run ".*link <slug>" in this folder\. It sees: one, two\.\n$/,
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
      await service.stop()
    }
  })
})
