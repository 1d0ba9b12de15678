import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Browser, Page, Response } from 'playwright-core'
import { launchBrowser } from '../../support/browser.js'
import { git, withClone } from '../../support/git.js'
import { startOwnService, type TestService } from '../../support/service.js'

/** Debian's git-doc: hundreds of linked pages that real people read. */
const MANUAL = '/usr/share/doc/git/html/'
/** Debian's fonts-dejavu-core. */
const FONT = '/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf'
const page = (title: string, body: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${title}</title>
<link rel="stylesheet" href="/assets/style.css"><script type="module" src="/assets/main.js"></script>
<h1>${title}</h1>${body}</html>
`
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SITE: Record<string, string | Buffer> = {
  'index.html': page(
    'Start',
    '<img id="dot" src="img/dot.png"><img id="sign" src="/img/sign.svg"><a href="/about">About</a>',
  ),
  'about.html': page('About', '<p><a href="docs/">Docs</a>'),
  'docs/index.html': page('Docs', '<p><a href="../about/">About, with a slash too many</a>'),
  '404.html': page('Nothing here', '<p id="lost">Lost?</p>'),
  'assets/style.css': `@font-face { font-family: Mono; src: url(fonts/mono.ttf) }
h1 { color: rgb(1, 2, 3); font-family: Mono }`,
  'assets/main.js': `import { greeting } from './greeting.js'\ndocument.body.dataset.greeting = greeting`,
  'assets/greeting.js': `export const greeting = 'hello'`,
  'img/dot.png': Buffer.from(PIXEL, 'base64'),
  'img/sign.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><rect width="30" height="20"/></svg>',
  _redirects: '/old/* /:splat 301\n',
}

describe('a browser', () => {
  let service: TestService
  let browser: Browser
  let tab: Page
  /** Failures in the open page: unsuccessful answers, errors of scripts, refused loads. */
  let faults: string[]
  const at = (path: string, label = 'demo') => `http://${label}.localhost:${service.server.port}${path}`
  const open = async (url: string): Promise<Response> => {
    faults = []
    const answer = await tab.goto(url, { waitUntil: 'load' })
    assert.ok(answer !== null, url)
    return answer
  }
  const push = async (files: (folder: string) => void) => {
    await withClone(service.gitdir(), (folder) => {
      files(folder)
      git(folder, 'add', '.')
      git(folder, 'commit', '--quiet', '-m', 'Push')
      git(folder, 'push', '--quiet')
    })
    await service.api().get('/pages?limit=1').expect(200)
  }

  before(async function () {
    browser = await launchBrowser()
    service = await startOwnService()
    await push((folder) => {
      for (const [path, content] of Object.entries(SITE)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), content)
      }
      mkdirSync(join(folder, 'assets/fonts'))
      copyFileSync(FONT, join(folder, 'assets/fonts/mono.ttf'))
      mkdirSync(join(folder, 'manual'))
      const names = readdirSync(MANUAL).filter((name) => /^git.*\.html$/.test(name))
      for (const name of names) copyFileSync(join(MANUAL, name), join(folder, 'manual', name))
    })
    tab = await browser.newPage()
    tab.on('pageerror', (error) => faults.push(error.message))
    tab.on('requestfailed', (request) => faults.push(`${request.url()} failed`))
    tab.on('response', (answer) => {
      if (answer.status() >= 400) faults.push(`${answer.status()} ${answer.url()}`)
    })
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('shows a pushed site with its styles, scripts, images and fonts', async () => {
    await open(at('/'))
    const seen: unknown = await tab.evaluate(`document.fonts.ready.then((fonts) => ({
      title: document.title,
      color: getComputedStyle(document.querySelector('h1')).color,
      greeting: document.body.dataset.greeting,
      dot: document.querySelector('#dot').naturalWidth,
      sign: document.querySelector('#sign').naturalWidth,
      fonts: [...fonts].map(({ family, status }) => family + ' ' + status),
      alone: window.originAgentCluster,
    }))`)
    assert.deepEqual(seen, {
      title: 'Start',
      color: 'rgb(1, 2, 3)',
      greeting: 'hello',
      dot: 1,
      sign: 30,
      fonts: ['Mono loaded'],
      alone: true,
    })
    assert.deepEqual(faults, [])
    assert.deepEqual(await tab.context().cookies(), [])
  })

  it('follows its links and redirects to one URL for each page', async () => {
    await open(at('/'))
    await tab.click('text=About')
    await tab.waitForURL(at('/about'))
    await tab.click('text=Docs')
    await tab.waitForURL(at('/docs/'))
    await tab.click('text=About, with a slash')
    await tab.waitForURL(at('/about'))
    await open(at('/old/docs/?q=1'))
    assert.equal(new URL(tab.url()).pathname, '/docs/')
    assert.deepEqual(faults, [])
  })

  it("shows the site's own 404 page with its assets if a page is missing", async () => {
    const answer = await open(at('/not/here'))
    assert.equal(answer.status(), 404)
    assert.equal(await tab.textContent('#lost'), 'Lost?')
    assert.equal(await tab.evaluate('document.body.dataset.greeting'), 'hello')
    assert.deepEqual(faults, [`404 ${at('/not/here')}`])
  })

  it("reads git's manual, page after page", async () => {
    await open(at('/manual/git'))
    assert.equal(await tab.title(), 'git(1)')
    await tab.click('a[href="git-commit.html"] >> nth=0')
    await tab.waitForLoadState()
    assert.equal(await tab.title(), 'git-commit(1)')
    assert.deepEqual(faults, [])
  })

  it('sees the whole site as it was on the host of a version', async () => {
    const { body } = await service.api().get(`/sites/${service.site.id}/commits?limit=1`).expect(200)
    const [commit] = (body as { data: { id: string }[] }).data
    await push((folder) => writeFileSync(join(folder, 'assets/style.css'), 'h1 { color: red }'))
    const color = "getComputedStyle(document.querySelector('h1')).color"
    await open(at('/about'))
    assert.equal(await tab.evaluate(color), 'rgb(255, 0, 0)')
    const made = await service.api().post(`/sites/${service.site.id}/links`).send({ commit: commit?.id }).expect(201)
    await open(`${(made.body as { data: { url: string } }).data.url}about`)
    assert.equal(await tab.evaluate(color), 'rgb(1, 2, 3)')
    assert.deepEqual(faults, [])
  })
})
