import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { git } from '../support/git.js'
import { type Desk, sitDown } from './desk.js'
import { makeSite } from './make-site.js'

const execute = promisify(execFile)

/** Notes which element has the focus when the key is first shown, before the browser paints it or takes a key press. */
const NOTE_FOCUS_ONCE_MADE = `new MutationObserver((_changes, observer) => {
  if (!document.body.textContent.includes('shown only now')) return
  observer.disconnect()
  focusOnceMade = document.activeElement.getAttribute('aria-label')
}).observe(document.body, { childList: true, subtree: true })`

interface Made {
  key: string
  /** The commands that the dialog shows: asking each time, and keeping the key. */
  clone: string
  keepingClone: string
}

describe('the dashboard: a key for a clone', () => {
  let desk: Desk
  let folder: string

  before(async function () {
    desk = await sitDown(this)
  })
  beforeEach(() => {
    desk.complaints.splice(0)
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-clones-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true })
    assert.deepEqual(desk.complaints, [])
  })
  after(() => desk?.leave())

  it('clones only this site with the shown command, and cannot push', async () => {
    const other = await makeSite(desk.service)
    const { key, clone } = await makeKey('demo')
    await run(clone, key)
    assert.equal((await run('git -C demo rev-parse HEAD', '')).trim(), git(desk.service.gitdir(), 'rev-parse', 'main'))
    const config = readFileSync(join(folder, 'demo', '.git', 'config'), 'utf8')
    assert.ok(!config.includes(key) && !clone.includes(key))
    await assert.rejects(run(`git -C demo push origin HEAD:main -o dry-run`, key), /403/)
    await assert.rejects(run(clone.replace('demo.git', `${other}.git`), key), /not found/)
    const mine = await keyOf(key)
    assert.deepEqual([mine.scopes, mine.sites], [['read'], [desk.service.site.id]])
    const days = (Date.parse(mine.expiresAt ?? '') - Date.now()) / 86_400_000
    assert.ok(days > 88 && days < 92, `${days} days`)
  })

  it('can push if that was chosen, and never expires if the date is left empty', async () => {
    const { key, clone } = await makeKey('demo', async (dialog) => {
      await dialog.getByLabel('push too').check()
      await dialog.getByLabel('Expires after').fill('')
    })
    await run(clone, key)
    writeFileSync(join(folder, 'demo', 'cloned.html'), '<h1>From a clone</h1>')
    await run('git -C demo add . && git -C demo commit -qm Cloned && git -C demo push -q', key)
    assert.equal(await desk.live('/cloned'), '<h1>From a clone</h1>')
    assert.equal((await keyOf(key)).expiresAt, null)
  })

  it('lets git keep the keys of two sites apart', async () => {
    for (const slug of ['demo', await makeSite(desk.service)]) {
      const { key, keepingClone } = await makeKey(slug)
      await run(keepingClone, key)
    }
    await run('for clone in */; do git -C "$clone" pull -q || exit; done', 'no key')
  })

  it('is made, copied and closed with the keyboard alone', async () => {
    await desk.tab.goto(desk.at('/sites/demo/settings/git'))
    await desk.button('Make a key for a clone…').focus()
    await desk.tab.keyboard.press('Enter')
    await desk.tab.getByRole('dialog').getByLabel('Label').focus()
    await desk.tab.evaluate(NOTE_FOCUS_ONCE_MADE)
    await desk.tab.keyboard.press('Enter')
    await desk.tab.getByText('shown only now').waitFor()
    assert.equal(await desk.tab.evaluate('focusOnceMade'), 'The key')
    await desk.tab.keyboard.press('Tab')
    assert.equal(await desk.tab.evaluate('document.activeElement.textContent'), 'Copy the key')
    await desk.tab.keyboard.press('Escape')
    await desk.tab.getByText('shown only now').waitFor({ state: 'detached' })
    assert.equal(await desk.tab.evaluate('document.activeElement.textContent'), 'Make a key for a clone…')
  })

  it('fits a phone', async () => {
    const tab = await desk.signIn({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
    await tab.goto(desk.at('/sites/demo/settings/git'))
    await tab.getByRole('button', { name: 'Make a key for a clone…' }).click()
    await tab.getByRole('button', { name: 'Make the key' }).click()
    await tab.getByText('shown only now').waitFor()
    const widths = '(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector("dialog"))'
    const [whole, shown] = await tab.evaluate<[number, number]>(widths)
    assert.equal(whole, shown)
    await tab.context().close()
  })

  it('is replaced by a reason if the site was deleted or the service cannot be reached', async () => {
    const slug = await makeSite(desk.service)
    await desk.tab.goto(desk.at(`/sites/${slug}/settings/git`))
    await desk.button('Make a key for a clone…').click()
    const dialog = desk.tab.getByRole('dialog')
    await desk.context.setOffline(true)
    await desk.button('Make the key').click()
    await dialog.getByRole('alert').getByText('cannot be reached').waitFor()
    await desk.context.setOffline(false)
    const admin = desk.service.api((await desk.service.mint({ scopes: ['admin'] })).key)
    const { body } = await admin.get(`/sites?slug=${slug}`).expect(200)
    const [{ id }] = (body as { data: [{ id: string }] }).data
    await admin.delete(`/sites/${id}`).expect(200)
    await desk.button('Make the key').click()
    await dialog.getByRole('alert').getByText(/site/).waitFor()
  })

  async function makeKey(
    slug: string,
    choose?: (dialog: ReturnType<Page['getByRole']>) => Promise<void>,
  ): Promise<Made> {
    await desk.tab.goto(desk.at(`/sites/${slug}/settings/git`))
    await desk.button('Make a key for a clone…').click()
    const dialog = desk.tab.getByRole('dialog')
    await choose?.(dialog)
    await desk.button('Make the key').click()
    const shown = async (name: string) => (await dialog.getByRole('region', { name, exact: true }).textContent()) ?? ''
    return {
      key: await shown('The key'),
      clone: await shown('Clone command'),
      keepingClone: await shown('Command that keeps it'),
    }
  }

  /** Runs a command in a shell with an empty home; git gets this password whenever it asks for one. */
  async function run(command: string, password: string): Promise<string> {
    const asked = join(folder, 'password')
    writeFileSync(asked, '#!/bin/sh\necho "$PASSWORD"\n', { mode: 0o755 })
    const identity = {
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@x',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@x',
    }
    const env = { ...process.env, ...identity, HOME: folder, GIT_ASKPASS: asked, PASSWORD: password }
    return (await execute('sh', ['-c', command], { cwd: folder, env })).stdout
  }

  async function keyOf(key: string): Promise<{ scopes: string[]; sites: string[]; expiresAt: string | null }> {
    const admin = desk.service.api((await desk.service.mint({ scopes: ['admin'] })).key)
    const { body } = await admin.get('/keys').expect(200)
    const keys = (body as { data: { prefix: string; scopes: string[]; sites: string[]; expiresAt: string | null }[] })
      .data
    const found = keys.find(({ prefix }) => key.startsWith(prefix.slice(0, -1)))
    assert.ok(found)
    return found
  }
})
