// A site that `npm run test:system -- sites` publishes: where it comes from, and how its folder is made.

import type { Browser } from 'playwright-core'
import type { ServeProcess } from '../scenarios/serve-process.js'

export interface BuiltSite {
  /** The folder to publish. */
  folder: string
  /** Options of `palimpsest publish` that it needs. */
  options: readonly string[]
}

export interface SiteSource {
  /** Its name in `npm run test:system -- sites -- <name>`, and its slug. */
  name: string
  /** Makes the site below the folder, or finds it. A text says why it cannot be had here. */
  build: (folder: string) => Promise<BuiltSite | string>
}

export interface Ground {
  service: ServeProcess
  key: string
  browser: Browser | undefined
  /** A folder for this site alone. */
  folder: string
}
