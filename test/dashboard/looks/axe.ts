// The judge of accessibility: axe, in the page.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const require = createRequire(import.meta.url)
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** Returns the faults of the shown screen, without those inside frames. Evaluated by the debugger's door, which the page's policy does not close. */
export async function faultsIn(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  return await page.evaluate<string[]>(`axe.run({ exclude: [['iframe']] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`)
}
