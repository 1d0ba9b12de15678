// `npm run pictures`: takes a picture of each screen, in each look and with each filling, and renews the pictures of the documents.
// The first argument is the folder of the pictures. Others choose fillings.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { type Desk, openDesk } from '../desk.js'
import { pictureDocs } from './docs-pictures.js'
import { type FillingName, FILLINGS, fill } from './fill.js'
import { type Look, LOOKS, optionsOf } from './looks.js'
import { pictureParts } from './parts-pictures.js'
import { addressOf, SCREENS } from './screens.js'

/** An ordinary site is looked at in each way; a site of another filling as wide as a desktop and as a phone. */
const LOOKS_OF: Readonly<Record<FillingName, readonly Look[]>> = {
  none: ['wide', 'phone'],
  one: Object.keys(LOOKS) as Look[],
  many: ['wide', 'phone'],
  long: ['wide', 'phone'],
  rightToLeft: ['wide', 'phone'],
}

const [folder = 'dist/pictures', ...chosen] = process.argv.slice(2)
const fillings = (Object.keys(FILLINGS) as FillingName[]).filter((each) => chosen.length === 0 || chosen.includes(each))
mkdirSync(folder, { recursive: true })
const desk = await openDesk()
try {
  await pictureDocs(desk)
  await pictureParts(desk, folder)
  for (const filling of fillings) await pictureFilling(desk, filling)
} finally {
  await desk.leave()
}

async function pictureFilling(at: Desk, filling: FillingName): Promise<void> {
  process.stdout.write(`${filling}: makes its things\n`)
  const { made, owner } = await fill(at.service, filling)
  for (const look of LOOKS_OF[filling]) {
    const tab = await at.tabOf(owner, optionsOf(look))
    const stranger = await (await at.newContext(optionsOf(look))).newPage()
    for (const screen of SCREENS) {
      const address = addressOf(screen, made)
      if (address === undefined) continue
      const page = screen.isPublic === true ? stranger : tab
      const began = performance.now()
      await page.goto(at.at(address))
      await page.waitForLoadState('networkidle')
      const file = `${screen.name}-${filling}-${look}.png`
      await picture(page, join(folder, file), screen.isWindow !== true && filling !== 'many')
      process.stdout.write(`${file} (${((performance.now() - began) / 1000).toFixed(1)} s)\n`)
    }
    await tab.context().close()
    await stranger.context().close()
  }
}

async function picture(page: Page, path: string, fullPage: boolean): Promise<void> {
  await page.screenshot({ path, fullPage, animations: 'disabled' })
}
