// Pictures of the page of all parts of the dashboard.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import sirv from 'sirv'
import type { Desk } from '../desk.js'
import { type Look, LOOKS, optionsOf } from './looks.js'

export async function pictureParts(desk: Desk, folder: string): Promise<void> {
  const server = createServer(sirv('dist/parts-ui')).listen(0)
  for (const look of Object.keys(LOOKS) as Look[]) {
    const page = await (await desk.newContext(optionsOf(look))).newPage()
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/parts.html`)
    await page.getByRole('heading', { name: 'The parts' }).waitFor()
    await page.screenshot({ path: join(folder, `parts-${look}.png`), fullPage: true, animations: 'disabled' })
    await page.context().close()
  }
  server.close()
}
