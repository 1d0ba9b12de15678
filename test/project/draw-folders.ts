// `npm run draw-folders`: renews the picture of the folders in docs/architecture.md.

import { readFileSync, writeFileSync } from 'node:fs'
import { withPicture } from './folder-picture.js'

const DOCUMENT = 'docs/architecture.md'

writeFileSync(DOCUMENT, withPicture(readFileSync(DOCUMENT, 'utf8')))
