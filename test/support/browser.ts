// Debian's Chromium, for tests in a real browser.

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

export async function launchBrowser(): Promise<Browser> {
  const browser = await openBrowser()
  assert.ok(browser, `${CHROMIUM} is not there: apt-get install chromium`)
  return browser
}
