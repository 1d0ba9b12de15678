import assert from 'node:assert/strict'
import type { Client } from '@modelcontextprotocol/client'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { connectHttp, succeed, textOf } from '../../protocols/mcp/clients.js'
import { connectAgent } from '../../support/people/connect-agent.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import { type Desk, sitDown } from '../desk.js'
import { faultsIn } from '../looks/axe.js'
import { optionsOf } from '../looks/looks.js'
import { byKeyboard, byTouch, type Means } from './means.js'

interface Look {
  options: BrowserContextOptions
  means: (tab: Page) => Means
}

/** Without motion, so that nothing is judged on its way. */
const LOOKS: Readonly<Record<string, Look>> = {
  'on a desktop by keyboard alone': { options: optionsOf('wide'), means: byKeyboard },
  'on a phone of 390 pixels in the dark': { options: { ...optionsOf('phone'), colorScheme: 'dark' }, means: byTouch },
}
const FAIR = '<title>Fair</title>\n<h1>The fair</h1>\n<p>On Monday</p>\n<h2>Food</h2>\n<p>Bread</p>\n'

interface Read {
  etag: string
}

describe('the dashboard: the life of a page', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  /** Publishes a page, and protects the site after that: another person approves each further change. */
  const publishFirst = async (path: string) => {
    const { catalog } = desk.service.server.service.services
    const { id } = desk.service.site
    await catalog.sites.protect(id, { protection: 'none', approvers: 'editor' }, [])
    await desk.publish(path, FAIR)
    await catalog.sites.protect(id, { protection: 'all', approvers: 'editor' }, [])
  }
  /** Fails for what axe finds on the shown screen, and for a screen that is wider than its window. */
  const look = async (tab: Page, name: string) => {
    assert.deepEqual(await faultsIn(tab), [], name)
    const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
    assert.equal(await tab.evaluate(isTooWide), false, name)
    if (process.env['PICTURES'])
      await tab.screenshot({ path: `${process.env['PICTURES']}/life-${tab.viewportSize()?.width}-${name}.png` })
  }
  const read = async (agent: Client, name: string, given: object) =>
    textOf(await agent.callTool({ name, arguments: { ...given } }))

  for (const [at, [name, { options, means }]] of Object.entries(LOOKS).entries())
    it(`goes from draft to live by two people and an agent: ${name}`, async () => {
      const path = `/fair-${at}`
      await publishFirst(path)
      const grace = await signInAs(desk.service, 'author', { name: 'Grace' })
      const edith = await signInAs(desk.service, 'editor', { name: 'Edith' })
      const { access_token: token } = await connectAgent(desk.service, grace, { choice: { scope: 'propose' } })
      const agent = await connectHttp(desk.at('').replace(/\/$/, ''), token, 'modern')
      const author = await desk.tabOf(grace, options)
      const editor = await desk.tabOf(edith, options)
      const [writing, judging] = [means(author), means(editor)]
      const button = (tab: Page, label: string) => tab.getByRole('button', { name: label, exact: true })

      // The agent drafts a change of the page.
      const page = await succeed<Read>(agent, 'get_page', { id: path })
      await succeed(agent, 'edit_page', {
        id: path,
        edits: [{ find: 'Monday', replace: 'Tuesday' }],
        ifMatch: page.etag,
        changeRequest: 'new',
        reason: 'Another day',
      })

      // Grace finds the draft of her agent, writes on, and asks for a review.
      await author.goto(desk.at('/sites/demo/reviews?show=mine'))
      await author.getByText('Draft', { exact: true }).waitFor()
      await look(author, '1-mine')
      await writing.press(author.locator('.review-row a'))
      await author.frameLocator(`iframe[title="${path} with this change"]`).getByText('On Tuesday').waitFor()
      await writing.press(author.getByRole('link', { name: `Edit ${path}` }))
      const text = author.getByRole('textbox', { name: 'HTML' })
      await text.getByText('Tuesday').waitFor()
      await writing.write(text, '<p>Cakes</p>\n')
      await look(author, '2-editor')
      await writing.press(author.getByRole('button', { name: 'Ask for review…' }))
      await writing.write(author.getByLabel('Note for the history'), `Another day ${at}`)
      await look(author, '3-ask')
      await writing.press(author.getByRole('dialog').getByRole('button', { name: 'Ask for review' }))
      await author.getByText('Waits for review').waitFor()

      // Edith finds what waits, looks at it, and asks for a change at a place of the page.
      await editor.goto(desk.at('/'))
      await judging.press(editor.getByRole('link', { name: 'Reviews 1 waiting for you' }))
      await editor.getByRole('link', { name: `Another day ${at}` }).waitFor()
      await look(editor, '4-waiting')
      await judging.press(editor.getByRole('link', { name: `Another day ${at}` }))
      const after = editor.frameLocator(`iframe[title="${path} with this change"]`)
      await after.getByText('Cakes').waitFor()
      assert.equal(await button(editor, 'Publish').count(), 0)
      await judging.press(button(editor, `Comment on ${path}`))
      const here = editor.getByRole('region', { name: `Comments on ${path}` })
      await judging.write(here.getByLabel('Words that it is about'), 'Cakes')
      await judging.write(here.getByLabel('Your comment'), 'Which cakes?')
      await look(editor, '5-comment')
      await judging.press(here.getByRole('button', { name: 'Ask for changes' }))
      const thread = here.getByRole('article', { name: 'Comment 1' })
      await thread.getByText('Under Food').waitFor()
      await after.locator('mark').getByText('Cakes').waitFor()
      await look(editor, '6-asked')

      // The agent lists what waits, reads the comment, changes its page in the request, answers, and asks again.
      const listed = await read(agent, 'list_change_requests', { author: 'me' })
      const [, number = ''] = /^number=(\d+) draft .* by "Grace", changes asked/m.exec(listed) ?? assert.fail(listed)
      const asked = await read(agent, 'get_change_request', { id: number })
      const [, comment = ''] =
        /Comment id=(\S+) on \S+ about "Cakes" asks for changes by "Edith": "Which cakes\?"/.exec(asked) ??
        assert.fail(asked)
      const draft = await succeed<Read>(agent, 'get_page', { id: path, changeRequest: number })
      await succeed(agent, 'edit_page', {
        id: path,
        edits: [{ find: 'Cakes', replace: 'Apple cakes' }],
        ifMatch: draft.etag,
        changeRequest: number,
      })
      const answer = { id: number, text: 'Apple cakes.', inReplyTo: comment, resolve: true }
      await succeed(agent, 'comment_change_request', answer)
      await succeed(agent, 'edit_change_request', { id: number, state: 'review' })

      // Grace reads the answer of her agent.
      await author.goto(desk.at('/sites/demo/reviews?show=mine'))
      await writing.press(author.getByRole('link', { name: `Another day ${at}` }))
      const told = author.getByRole('article', { name: 'Comment 1' })
      await told.getByText('1 answer').waitFor()
      await writing.press(told.locator('summary'))
      await told.getByText('Apple cakes.').waitFor()
      await look(author, '7-answered')

      // Edith approves and publishes it.
      await editor.goto(desk.at('/sites/demo/reviews'))
      await judging.press(editor.getByRole('link', { name: `Another day ${at}` }))
      await thread.getByText('resolved').waitFor()
      await editor.getByText('Last written by Test agent for Grace').waitFor()
      await look(editor, '8-again')
      await judging.press(button(editor, 'Approve'))
      await editor.getByText('Approved by Edith').waitFor()
      await judging.press(button(editor, 'Publish'))
      await editor.getByText('Published', { exact: true }).waitFor()
      await look(editor, '9-published')
      assert.equal(await desk.live(path), `${FAIR.replace('Monday', 'Tuesday')}<p>Apple cakes</p>\n`)
      await agent.close()
      for (const tab of [author, editor]) await tab.context().close()
    })
})
