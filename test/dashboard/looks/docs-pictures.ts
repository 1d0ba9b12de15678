// The pictures that the documents show: some screens of a small site of a school.

import { join } from 'node:path'
import { type SignedIn, signInAs } from '../../support/people/sign-in-as.js'
import type { Desk } from '../desk.js'

const FOLDER = 'docs/pictures'
const WINDOW = { width: 1200, height: 720 }

/** The page that the pictures show most. */
const FAIR = 'spring-fair'
const PAGES: Readonly<Record<string, string>> = {
  '': 'Hill School',
  about: 'About us',
  contact: 'Contact',
  'classes/4a': 'Class 4a',
  'classes/4b': 'Class 4b',
  'news/museum': 'A day at the museum',
  'news/new-library': 'The new library',
}

interface DocsRow {
  file: string
  /** `:fair` stands for the id of the page. */
  address: string
  colorScheme?: 'dark'
}

const ROWS: readonly DocsRow[] = [
  { file: 'dashboard-pages', address: '/sites/:site' },
  { file: 'dashboard-page', address: '/sites/:site/pages/:fair' },
  { file: 'dashboard-history', address: '/sites/:site/pages/:fair/history?from=1&to=2', colorScheme: 'dark' },
]

export async function pictureDocs(desk: Desk): Promise<void> {
  const own = await desk.service.inNewWorkspace('hill-school')
  const grace = await signInAs(own, 'owner', { name: 'Grace Hopper' })
  const ada = await signInAs(own, 'editor', { name: 'Ada Lovelace' })
  await grace.send('patch', `/sites/${own.site.id}`).send({ name: 'Hill School' }).expect(200)
  for (const [path, title] of Object.entries(PAGES)) await put(grace, path, title, 'Words about it.')
  await put(grace, FAIR, 'Our spring fair', 'Come on Saturday at ten. There are cakes and music.')
  const fair = await put(ada, FAIR, 'Our spring fair', 'Come on Sunday at eleven. There are cakes, games and music.')
  for (const { file, address, colorScheme = 'light' } of ROWS) {
    const tab = await desk.tabOf(ada, { viewport: WINDOW, colorScheme, reducedMotion: 'reduce' })
    await tab.goto(desk.at(address.replace(':site', own.site.slug).replace(':fair', fair)))
    await tab.waitForLoadState('networkidle')
    const frames = tab.locator('main iframe')
    if ((await frames.count()) > 0) await frames.first().contentFrame().locator('h1').waitFor()
    await tab.screenshot({ path: join(FOLDER, `${file}.png`), animations: 'disabled' })
    process.stdout.write(`${file}.png\n`)
    await tab.context().close()
  }
}

async function put(person: SignedIn, path: string, title: string, text: string): Promise<string> {
  const html = `<!doctype html>
<html lang="en">
  <title>${title}</title>
  <body style="font: 18px/1.6 system-ui; margin: 2rem">
    <h1>${title}</h1>
    <p>${text}</p>
  </body>
</html>
`
  const { body } = await person.send('put', `/pages?path=/${path}`).send({ html })
  return (body as { data: { id: string } }).data.id
}
