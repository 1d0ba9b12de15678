// `npm run draw-limits`: renews the table of limits in docs/configuration.md.

import { readFileSync, writeFileSync } from 'node:fs'
import { withLimits } from './limits-document.js'

const DOCUMENT = 'docs/configuration.md'

writeFileSync(DOCUMENT, withLimits(readFileSync(DOCUMENT, 'utf8')))
