// The ways in which each screen is looked at.

import type { BrowserContextOptions } from 'playwright-core'
import { PHONE } from '../desk.js'

const WIDE = { width: 1440, height: 900 }

export const LOOKS = {
  wide: { viewport: WIDE },
  phone: PHONE,
  dark: { viewport: WIDE, colorScheme: 'dark' },
  /** The wide window at 200 %. */
  zoomed: { viewport: { width: WIDE.width / 2, height: WIDE.height / 2 }, deviceScaleFactor: 2 },
} as const satisfies Record<string, BrowserContextOptions>

export type Look = keyof typeof LOOKS

/** Without motion, so that nothing is seen on its way. */
export function optionsOf(look: Look): BrowserContextOptions {
  return { ...LOOKS[look], reducedMotion: 'reduce' }
}
