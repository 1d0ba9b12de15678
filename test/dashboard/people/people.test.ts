import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { publishAs } from '../../support/people/as-agent.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import { type Desk, PHONE, sitDown } from '../desk.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Folder for pictures of the screens, for people who look at them. */
const PICTURES = process.env['PICTURES']

describe('the dashboard: people', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
    await desk.service.server.service.services.provisioner.createSite(desk.service.workspaceId, 'second')
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  const look = async (tab: Page, name: string) => {
    if (PICTURES !== undefined) await tab.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true })
  }
  const userIdOf = async (name: string) => {
    const { catalog } = desk.service.server.service.services
    const members = await catalog.members.list(desk.service.workspaceId)
    return members.find((member) => member.name === name)?.userId ?? assert.fail(`${name} is no member`)
  }

  it('a person makes a key of their own, which may only try changes', async () => {
    const { tab, service } = desk
    await tab.goto(desk.at('/keys'))
    await desk.button('New key').click()
    const dialog = tab.getByRole('dialog', { name: 'New API key' })
    await dialog.getByLabel('Label').fill('mine')
    await dialog.getByLabel('mine: it ends with my membership').check()
    await dialog.getByLabel('Propose').check()
    await look(tab, 'new-key')
    await desk.button('Create the key', dialog).click()
    await tab.getByText('mine').first().waitFor()
    const { catalog } = service.server.service.services
    const [key] = await catalog.personalKeys.list(service.workspaceId, await userIdOf('Ada'))
    assert.deepEqual([key?.label, key?.scopes], ['mine', ['propose']])
  })

  it('an owner invites a person, who joins, sees one site, is promoted, and is removed while working', async () => {
    const { tab } = desk
    await tab.goto(desk.at('/members'))
    await desk.button('Invite a person').click()
    const invite = tab.getByRole('dialog', { name: 'Invite a person' })
    await invite.getByLabel('demo').check()
    await look(tab, 'invite')
    await desk.button('Make the link', invite).click()
    const link = await tab.getByRole('region', { name: 'The link' }).innerText()
    await look(tab, 'invitation')
    await tab.keyboard.press('Escape')
    await tab.getByRole('region', { name: 'Invitations' }).getByText('anybody with the link').waitFor()

    const guest = await (await desk.newContext()).newPage()
    await guest.goto(link.trim())
    await guest.getByRole('heading', { name: /^Ada invites you to/ }).waitFor()
    assert.equal(guest.url(), desk.at('/join'))
    await look(guest, 'join')
    await guest.getByLabel('Your name').fill('Ines')
    await guest.keyboard.press('Enter')
    await guest.getByRole('heading', { name: /^You are in / }).waitFor()
    await guest.getByRole('button', { name: 'Go to the sites' }).click()
    await guest.getByRole('heading', { name: 'Sites' }).waitFor()
    assert.equal(guest.url(), desk.at('/'))
    await guest.getByRole('link', { name: 'demo', exact: true }).waitFor()
    assert.equal(await guest.getByRole('link', { name: 'second', exact: true }).count(), 0)
    assert.equal(await guest.getByRole('link', { name: 'Members' }).count(), 0)
    assert.equal(await guest.getByRole('link', { name: 'Audit' }).count(), 0)

    await tab.reload()
    await tab.getByRole('button', { name: 'Change role of Ines' }).click()
    const role = tab.getByRole('dialog', { name: 'The role of Ines' })
    await role.getByLabel('admin:').check()
    await role.getByLabel('demo').uncheck()
    await look(tab, 'change-role')
    await desk.button('Set the role', role).click()
    await desk.said('Ines has other rights from now on.')
    await guest.reload()
    await guest.getByRole('link', { name: 'second', exact: true }).waitFor()
    await guest.getByRole('link', { name: 'Members' }).click()
    await guest.getByRole('button', { name: 'Invite a person' }).waitFor()

    await tab.getByRole('button', { name: 'Remove Ines' }).click()
    const removal = tab.getByRole('dialog', { name: 'Remove Ines' })
    await removal.getByText('No key and no agent depends on the person.').waitFor()
    await desk.button('Remove the member', removal).click()
    await desk.said('Ines is no longer a member.')
    await guest.getByRole('link', { name: 'API keys' }).click()
    await guest.getByText('You are not signed in').waitFor()
    await guest.context().close()
  })

  it('a member leaves the workspace, and the last owner is told why that is not possible', async () => {
    const { tab, service } = desk
    const nora = await signInAs(service, 'editor', { name: 'Nora' })
    const context = await desk.newContext()
    const [name = '', value = ''] = nora.cookie.split('=')
    await context.addCookies([{ name, value, url: desk.at('/') }])
    const hers = await context.newPage()
    await hers.goto(desk.at('/profile'))
    await hers.getByRole('button', { name: /^Leave / }).click()
    await look(hers, 'leave')
    await hers.getByRole('button', { name: /^Leave now / }).click()
    await hers.getByText('You are not signed in').waitFor()
    await context.close()
    await tab.goto(desk.at('/members'))
    await tab.getByText('Ada', { exact: false }).first().waitFor()
    assert.equal(await tab.getByText('Nora').count(), 0)
    assert.equal(await tab.getByRole('button', { name: 'Remove Ada' }).count(), 0)
    await tab.getByRole('link', { name: 'Leave' }).click()
    await tab.getByRole('button', { name: /^Leave / }).click()
    await tab.getByRole('button', { name: /^Leave now / }).click()
    await tab
      .getByRole('alert')
      .getByText(/last owner/)
      .waitFor()
  })

  it('a change of role names the keys that lose rights, and a removal offers them to a member, who takes them', async () => {
    const { tab, service } = desk
    const carl = await signInAs(service, 'editor', { name: 'Carl' })
    const made = await carl
      .send('post', '/keys')
      .send({ label: 'build server', scopes: ['write'] })
      .expect(201)
    await tab.goto(desk.at('/members'))
    await tab.getByRole('button', { name: 'Change role of Carl' }).click()
    const role = tab.getByRole('dialog', { name: 'The role of Carl' })
    await role.getByText('No key and no agent of Carl loses rights.').waitFor()
    await role.getByLabel('viewer:').check()
    await role.getByText('Key build server: publishes').waitFor()
    await tab.keyboard.press('Escape')
    await tab.getByRole('button', { name: 'Remove Carl' }).click()
    const removal = tab.getByRole('dialog', { name: 'Remove Carl' })
    await removal.getByLabel('another member can take').check()
    await removal.getByRole('combobox').selectOption({ label: 'Ada (owner)' })
    await look(tab, 'remove')
    await desk.button('Remove the member', removal).click()
    await desk.said('Carl is no longer a member.')
    await service.api(made.body.data.key).get('/pages').expect(401)
    await tab.goto(desk.at('/keys'))
    await tab.getByText('Carl had this key.').waitFor()
    await look(tab, 'offered-key')
    await tab.getByRole('button', { name: 'Take build server' }).click()
    const taken = tab.getByRole('dialog', { name: 'The key “build server”' })
    const key = (await taken.getByLabel('The key', { exact: true }).innerText()).trim()
    await service.api(key).get('/pages').expect(200)
    const { body } = await service.api(key).get('/me').expect(200)
    assert.equal(body.data.person.id, await userIdOf('Ada'))
    await tab.keyboard.press('Escape')
  })

  it('an invitation that was taken back says so', async () => {
    const { tab, service } = desk
    const owner = await signInAs(service, 'owner', { name: 'Otto' })
    const { body } = await owner.send('post', '/invitations').send({ role: 'viewer', email: 'ada@example.org' })
    await tab.goto(body.data.url)
    await tab.getByText('This invitation is for ada@example.org alone').waitFor()
    await tab.goto(desk.at('/members'))
    await tab.getByRole('button', { name: 'Take back the invitation of ada@example.org as viewer' }).click()
    await desk.said('The invitation is taken back.')
    await tab.goto(body.data.url)
    await tab.getByText('This invitation was already used, has expired or was taken back').waitFor()
  })

  it('the audit log is filtered and saved', async () => {
    const { tab } = desk
    await tab.goto(desk.at('/audit'))
    await tab
      .getByRole('region', { name: 'Audit log' })
      .getByText(/^Removed /)
      .first()
      .waitFor()
    await look(tab, 'audit')
    await tab.getByLabel('About').selectOption('invitations')
    await tab
      .getByText(/^Invited somebody as /)
      .first()
      .waitFor()
    assert.equal(await tab.getByText(/^Removed /).count(), 0)
    await tab
      .getByText(/^Invited somebody as /)
      .first()
      .click()
    await tab.getByText('isForOneAddress').first().waitFor()
    await tab.getByLabel('From').fill('2999-01-01')
    await tab.getByText('Nothing in the log matches').waitFor()
    await tab.getByLabel('From').fill('')
    const [saved] = await Promise.all([tab.waitForEvent('download'), desk.button('Export').click()])
    const lines = readFileSync(await saved.path(), 'utf8')
      .trim()
      .split('\n')
    assert.ok(lines.every((line) => (JSON.parse(line) as { action: string }).action.startsWith('invitation.')))
  })

  it('a run of an agent is undone at once', async () => {
    const { tab, service } = desk
    const agent = { id: '0c0c0c0c-0c0c-4c0c-8c0c-0c0c0c0c0c0c', client: 'Claude', userId: await userIdOf('Ada') }
    await publishAs(service, agent, { path: '/one', html: '<p>one</p>', reason: 'Add the first page' })
    await publishAs(service, agent, { path: '/two', html: '<p>two</p>', reason: 'Add the second page' })
    const other = await signInAs(service, 'editor', { name: 'Eva' })
    const theirs = { ...agent, id: '0d0d0d0d-0d0d-4d0d-8d0d-0d0d0d0d0d0d', userId: other.userId }
    await publishAs(service, theirs, { path: '/three', html: '<p>three</p>', reason: 'Add the third page' })
    await tab.goto(desk.at('/'))
    await tab.getByRole('link', { name: 'Agents' }).click()
    await tab.getByRole('heading', { name: 'No agents yet' }).waitFor()
    await tab.getByRole('link', { name: 'Work', exact: true }).click()
    const run = tab.getByRole('listitem').filter({ hasText: 'Claude for Ada added 2 files in demo' })
    await run.getByText('disconnected').waitFor()
    await tab
      .getByText('Claude for Eva published /three in demo')
      .or(tab.getByText('Claude for Eva added 1 file'))
      .waitFor()
    await run.getByText('Claude for Ada added 2 files').click()
    await run.getByText('Add the first page').waitFor()
    await look(tab, 'agents-work')
    await desk.button(/^Undo: Claude added 2 files in demo/, run).click()
    const dialog = tab.getByRole('dialog', { name: 'Undo the work of Claude' })
    await dialog.getByText('2 pages go offline').waitFor()
    await look(tab, 'undo-run')
    await desk.button('Undo it', dialog).click()
    await desk.said('The work of Claude is undone.')
    await service.visit('/one').expect(404)
    await service.visit('/two').expect(404)
    await service.visit('/three').expect(200)
  })

  it('somebody without any way in gets a link from an owner, who also ends all sessions', async () => {
    const { tab, service } = desk
    await signInAs(service, 'editor', { name: 'Lena' })
    await tab.goto(desk.at('/members'))
    await tab.getByRole('button', { name: 'Sign-in of Lena' }).click()
    const dialog = tab.getByRole('dialog', { name: 'The sign-in of Lena' })
    await desk.button('Make a sign-in link', dialog).click()
    const link = await dialog.getByRole('region', { name: 'The link' }).innerText()
    await dialog.getByRole('button', { name: 'Copy the link' }).waitFor()
    await look(tab, 'member-sign-in')
    await tab.keyboard.press('Escape')
    const lena = await (await desk.newContext()).newPage()
    await lena.goto(link.trim())
    await lena.getByRole('heading', { name: 'Sites' }).waitFor()
    assert.equal(await lena.locator('.user-menu').textContent(), 'Lena')
    await tab.getByRole('button', { name: 'Sign-in of Lena' }).click()
    await desk.button('End all sessions', dialog).click()
    await desk.button('End all sessions now', dialog).click()
    await desk.said('All sessions of Lena in this workspace have ended.')
    await lena.getByRole('link', { name: 'API keys' }).click()
    await lena.getByText('You are not signed in').waitFor()
    await lena.context().close()
    await tab.goto(desk.at('/audit'))
    await tab.getByRole('row').getByText('Made a sign-in link for Lena').first().waitFor()
  })

  it('an admin makes no sign-in links, and changes no owner', async () => {
    const admin = await signInAs(desk.service, 'admin', { name: 'Anton' })
    const context = await desk.newContext()
    const [name = '', value = ''] = admin.cookie.split('=')
    await context.addCookies([{ name, value, url: desk.at('/') }])
    const tab = await context.newPage()
    await tab.goto(desk.at('/members'))
    await tab.getByRole('button', { name: 'Sign-in of Lena' }).click()
    await tab.getByRole('button', { name: 'End all sessions' }).waitFor()
    assert.equal(await tab.getByRole('button', { name: 'Make a sign-in link' }).count(), 0)
    assert.equal(await tab.getByRole('button', { name: 'Sign-in of Ada' }).count(), 0)
    await context.close()
  })

  it('invites by keyboard alone', async () => {
    const { tab } = desk
    await tab.goto(desk.at('/members'))
    await tab.getByRole('heading', { name: 'Members' }).waitFor()
    await tab.keyboard.press('n')
    const dialog = tab.getByRole('dialog', { name: 'Invite a person' })
    await dialog.waitFor()
    await tab.keyboard.press('Tab')
    await tab.keyboard.press('ArrowUp')
    assert.ok(await dialog.getByLabel('author:').isChecked())
    await tab.keyboard.press('Enter')
    await tab.getByRole('region', { name: 'The link' }).waitFor()
    await tab.keyboard.press('Escape')
  })

  for (const [name, options] of [
    ['on a phone', PHONE],
    ['in the dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' as const }],
  ] as const)
    it(`shows its screens ${name} without sideways scrolling, and passes axe`, async () => {
      const tab = await desk.signIn(options)
      const owner = await signInAs(desk.service, 'owner', { name: `Host ${name}` })
      const { body } = await owner.send('post', '/invitations').send({ role: 'editor' }).expect(201)
      for (const [screen, path] of Object.entries({
        members: '/members',
        audit: '/audit',
        agents: '/agents/work',
        join: new URL(body.data.url as string).pathname + new URL(body.data.url as string).hash,
      })) {
        await tab.goto(desk.at(path))
        await tab.waitForLoadState('networkidle')
        await look(tab, `${screen} ${name}`)
        assert.equal(await tab.evaluate('document.documentElement.scrollWidth'), options.viewport.width, screen)
        await tab.evaluate(AXE)
        const faults = await tab.evaluate<string[]>(`axe.run().then(({ violations }) =>
          violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`)
        assert.deepEqual(faults, [], screen)
      }
      await tab.goto(desk.at('/members'))
      await tab.getByRole('button', { name: 'Invite a person' }).click()
      await tab.getByRole('dialog').waitFor()
      await look(tab, `invite ${name}`)
      await tab.context().close()
    })
})
