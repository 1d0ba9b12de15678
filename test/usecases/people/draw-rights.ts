// `npm run draw-rights`: renews the table of rights in docs/people.md.

import { readFileSync, writeFileSync } from 'node:fs'
import { withRights } from './rights-document.js'

const DOCUMENT = 'docs/people.md'

writeFileSync(DOCUMENT, withRights(readFileSync(DOCUMENT, 'utf8')))
