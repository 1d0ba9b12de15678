// Debian's Chromium, for tests in a real browser. Without it the tests say that they are skipped; in CI they fail.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Undefined where it is not installed. */
export async function openBrowser(): Promise<Browser | undefined> {
  return existsSync(CHROMIUM) ? await chromium.launch({ executablePath: CHROMIUM, args: FLAGS }) : undefined
}

/** For a `before` hook. */
export async function launchBrowser(test: Mocha.Context): Promise<Browser> {
  const browser = await openBrowser()
  if (browser !== undefined) return browser
  assert.equal(process.env['CI'], undefined, `${CHROMIUM} is not there: apt-get install chromium`)
  process.stderr.write(`    ${CHROMIUM} is not there: skipped\n`)
  return test.skip()
}
