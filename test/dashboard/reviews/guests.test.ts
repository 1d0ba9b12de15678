import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { type Desk, PHONE, sitDown } from '../desk.js'
import { loadSlowly } from '../load-slowly.js'
import { faultsIn } from '../looks/axe.js'
import { LOOKS } from '../looks/looks.js'

const OLD = '<title>Fair</title><p>On Monday</p>'
const NEW = '<title>Fair</title><p>On Tuesday</p>'

describe('the dashboard: guests with a review link', () => {
  let desk: Desk
  let editor: string
  let request: string

  before(async function () {
    desk = await sitDown(this)
    editor = (await desk.service.mint({ label: 'Grace', scopes: ['write'] })).key
  })
  beforeEach(async () => {
    desk.complaints.splice(0)
    await allow(true)
    await desk.publish('/fair', OLD)
    const { body } = await api().put('/pages?path=/fair&changeRequest=new').send({ html: NEW }).expect(200)
    request = (body as { changeRequest: string }).changeRequest
    await api().patch(`/change-requests/${request}`).send({ title: 'Another day for the fair' }).expect(200)
  })
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  const api = () => desk.service.api(editor)
  const allow = async (guestComments: boolean) => {
    const { key } = await desk.service.mint({ scopes: ['admin'] })
    await desk.service.api(key).patch(`/sites/${desk.service.site.id}`).send({ guestComments }).expect(200)
  }
  const share = async (): Promise<{ id: string; reviewUrl: string }> => {
    const { body } = await api().post(`/change-requests/${request}/links`).send({}).expect(201)
    return (body as { data: { id: string; reviewUrl: string } }).data
  }
  const addressOf = ({ reviewUrl }: { reviewUrl: string }) => desk.at(`/review${new URL(reviewUrl).hash}`)
  const openAs = async (url: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const tab = await (await desk.newContext(options)).newPage()
    await tab.goto(url)
    return tab
  }
  const head = (tab: Page) => tab.getByRole('heading', { name: 'Another day for the fair' })

  it('are invited in the review, and lose the link when it is ended there', async () => {
    const { tab } = desk
    await tab.goto(desk.at(`/sites/demo/reviews/${request}`))
    await tab.getByRole('button', { name: 'Invite a guest' }).click()
    const box = tab.getByRole('dialog', { name: 'Invite a guest' })
    await box.getByText('No link to this change is open.').waitFor()
    await box.getByText('Guests can comment, under a name that nobody checks.').waitFor()
    await box.getByRole('radio', { name: 'a day' }).check()
    await box.getByRole('button', { name: 'Make a link' }).click()
    const url = await box.getByRole('region', { name: 'Review link' }).innerText()
    assert.deepEqual(await faultsIn(tab), [])
    const guest = await openAs(addressOf({ reviewUrl: url }))
    await head(guest).waitFor()
    await guest.getByText('Ada asks you to look').waitFor()
    await box.getByRole('button', { name: /^End the link by Ada/ }).click()
    await box.getByText('No link to this change is open.').waitFor()
    await guest.reload()
    await guest.getByRole('alert').waitFor()
    await guest.context().close()
  })

  it('may comment once an owner switches it on in the settings', async () => {
    await allow(false)
    const { tab } = desk
    await tab.goto(desk.at('/sites/demo/settings/visitors'))
    await tab.getByLabel('Guests with a review link can comment').check()
    await desk.said('The settings are saved.')
    const guest = await openAs(addressOf(await share()))
    await guest.getByLabel('Your comment').waitFor()
    await guest.context().close()
  })

  it('are told who asks, what the link gives, and until when', async () => {
    const link = await share()
    assert.equal(new URL(link.reviewUrl).pathname, '/review')
    const tab = await openAs(addressOf(link))
    await head(tab).waitFor()
    await tab.getByText('Grace asks you to look at a change of demo. It is not live yet.').waitFor()
    await tab.getByText('This link shows 1 page with the change, and its comments.').waitFor()
    await tab.getByText('It ends on').waitFor()
    await tab.context().close()
  })

  it('see each page in a frame beside its comments, without its scripts near the review', async () => {
    const html = `${NEW}<script>document.body.append(origin + '|')</script>`
    await api().put(`/pages?path=/fair&changeRequest=${request}`).send({ html }).expect(200)
    await api().put(`/pages?path=/more pages&changeRequest=${request}`).send({ html: '<p>More</p>' }).expect(201)
    const about = { text: 'Which?', path: '/fair', quote: { exact: 'Tuesday' } }
    await api().post(`/change-requests/${request}/comments`).send(about).expect(201)
    const tab = await openAs(addressOf(await share()))
    const page = tab.locator('details').filter({ hasText: '/fair' })
    await page.getByText('1 open comment').waitFor()
    await page.getByRole('article', { name: 'Comment 1' }).getByText('Which?').waitFor()
    const shown = tab.frameLocator('iframe[title="/fair with this change"]')
    await shown.getByText('On Tuesday').waitFor()
    await shown.getByText('null|').waitFor()
    const other = tab.locator('details').filter({ hasText: '/more pages' })
    assert.equal(await other.locator('iframe').count(), 0)
    await other.locator('summary').first().focus()
    await tab.keyboard.press('Enter')
    await tab.frameLocator('iframe[title="/more pages with this change"]').getByText('More').waitFor()
    assert.deepEqual(await faultsIn(tab), [])
    await tab.context().close()
  })

  it('see the pages in a tab each, as the change makes them', async () => {
    const tab = await openAs(addressOf(await share()))
    const opened = tab.context().waitForEvent('page')
    await tab.getByRole('link', { name: 'Open in a tab: /fair' }).click()
    const preview = await opened
    await preview.getByText('On Tuesday').waitFor()
    assert.equal(new URL(preview.url()).pathname, '/fair')
    assert.equal(await preview.evaluate('[opener, document.referrer].join()'), ',')
    await tab.context().close()
  })

  it('comment under a name on a page, and answer; the others read it', async () => {
    await api().post(`/change-requests/${request}/comments`).send({ text: 'Is the day right?' }).expect(201)
    const tab = await openAs(addressOf(await share()))
    const thread = tab.getByRole('article', { name: 'Comment 1' })
    await thread.getByRole('button', { name: 'Answer' }).click()
    assert.equal(await tab.evaluate('document.activeElement.tagName'), 'INPUT')
    await tab.keyboard.type('Gus')
    await tab.keyboard.press('Tab')
    await tab.keyboard.type('Yes, Tuesday.')
    await thread.getByRole('button', { name: 'Send the answer' }).click()
    await thread.getByText('Yes, Tuesday.').waitFor()
    await tab.getByLabel('About').selectOption('/fair')
    await tab.getByLabel('Your comment').fill('<b>Where</b> is it?')
    await tab.getByRole('button', { name: 'Send the comment' }).click()
    await tab.getByRole('article', { name: 'Comment 3' }).getByText('<b>Where</b> is it?').waitFor()
    const { body } = await api().get(`/change-requests/${request}/comments`).expect(200)
    const told = (body as { data: { text: string; path: string | null; author: object }[] }).data
    const gus = { label: 'Gus', kind: 'guest', userId: null }
    assert.deepEqual(
      told.slice(1).map(({ text, path, author }) => [text, path, author]),
      [
        ['Yes, Tuesday.', null, gus],
        ['<b>Where</b> is it?', '/fair', gus],
      ],
    )
    await tab.context().close()
  })

  it('are told which comments are on an older text', async () => {
    await api().post(`/change-requests/${request}/comments`).send({ text: 'Too early', path: '/fair' }).expect(201)
    const link = await share()
    const tab = await openAs(addressOf(link))
    const thread = tab.getByRole('article', { name: 'Comment 1' })
    await thread.getByText('Too early').waitFor()
    assert.equal(await thread.getByText('on an older text').count(), 0)
    await api()
      .put(`/pages?path=/fair&changeRequest=${request}`)
      .send({ html: `${NEW}<p>At ten</p>` })
      .expect(200)
    await tab.reload()
    await thread.getByText('on an older text').waitFor()
    await tab.context().close()
  })

  it('have no form where the site takes no comments of guests', async () => {
    await allow(false)
    const tab = await openAs(addressOf(await share()))
    await tab.getByText('This site takes no comments of guests.').waitFor()
    assert.equal(await tab.locator('form, input, textarea').count(), 0)
    await tab.context().close()
  })

  it('see one sentence and nothing else once the link ended, or where it is wrong', async () => {
    const link = await share()
    const address = addressOf(link)
    const tab = await openAs(address)
    await head(tab).waitFor()
    await api().delete(`/change-requests/${request}/links/${link.id}`).expect(200)
    await tab.reload()
    await tab.getByRole('alert').getByText('This link has expired or was ended').waitFor()
    assert.equal(await head(tab).count(), 0)
    assert.doesNotMatch(await tab.locator('main').innerText(), /fair|Grace|demo/)
    // A link pasted into the same tab changes only the part after the #.
    await tab.goto(addressOf(await share()))
    await head(tab).waitFor()
    await tab.goto(`${address.slice(0, -2)}xx`)
    await tab.getByRole('alert').getByText('This link has expired or was ended').waitFor()
    await tab.goto(desk.at('/review'))
    await tab.getByText('Open the whole link that you were sent').waitFor()
    await tab.context().close()
  })

  it('send the secret in bodies alone, and no session', async () => {
    const address = addressOf(await share())
    const [, secret = ''] = new URL(address).hash.split('.')
    const tab = await desk.signIn()
    // The start screen may still ask for something.
    await tab.goto('about:blank')
    const sent: { url: string; cookie: string | undefined; referer: string | undefined }[] = []
    tab.on('requestfinished', (each) => {
      void each.allHeaders().then(({ cookie, referer }) => sent.push({ url: each.url(), cookie, referer }))
    })
    await tab.goto(address)
    await head(tab).waitFor()
    await tab.getByLabel('Your name').fill('Gus')
    await tab.getByLabel('Your comment').fill('Fine')
    await tab.getByRole('button', { name: 'Send the comment' }).click()
    await tab.getByText('Sent. The others see it now.').waitFor()
    await tab.waitForLoadState('networkidle')
    const asked = sent.filter(({ url }) => new URL(url).pathname.startsWith('/guest/'))
    assert.deepEqual(
      asked.map(({ url, cookie }) => [new URL(url).pathname, cookie]),
      [
        ['/guest/review', undefined],
        ['/guest/comments', undefined],
      ],
    )
    for (const { url, cookie, referer = '' } of sent) {
      const { pathname: path, hostname } = new URL(url)
      if (hostname.startsWith('preview--')) {
        // The frame.
        assert.deepEqual([path, cookie, referer], ['/fair', undefined, ''])
        continue
      }
      assert.ok(!`${path}${referer}`.includes(secret), url)
      assert.match(path, /^\/(?:$|review$|guest\/|assets\/|icon\.svg$)/)
    }
    assert.equal(await tab.evaluate('JSON.stringify([localStorage, sessionStorage]).includes("review")'), false)
    await tab.context().close()
  })

  for (const [look, options] of Object.entries(LOOKS))
    it(`find nothing that axe complains of, and nothing outside the window: ${look}`, async () => {
      const long = `/fair-${'with-a-long-name-'.repeat(6)}`
      await api().put(`/pages?path=${long}&changeRequest=${request}`).send({ html: NEW }).expect(201)
      const { body } = await api().post(`/change-requests/${request}/comments`).send({ text: 'One', path: '/fair' })
      const { id } = (body as { data: { id: string } }).data
      await api()
        .post(`/change-requests/${request}/comments`)
        .send({ text: 'x'.repeat(200), inReplyTo: id })
      const tab = await openAs(addressOf(await share()), options)
      await tab.getByRole('button', { name: 'Answer' }).click()
      assert.deepEqual(await faultsIn(tab), [])
      const { width } = options.viewport ?? PHONE.viewport
      assert.equal(await tab.evaluate('document.documentElement.scrollWidth'), width)
      if (process.env['PICTURES'])
        await tab.screenshot({ path: `${process.env['PICTURES']}/guest-${look}.png`, fullPage: true })
      await tab.context().close()
    })

  it('load less than 70 KB', async () => {
    const tab = await (await desk.newContext()).newPage()
    const { bytes } = await loadSlowly(tab, addressOf(await share()))
    assert.ok(bytes < 70 * 1024, `${bytes} bytes`)
  })
})
