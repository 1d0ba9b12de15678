// Puts the style sheet of the API reference beside the compiled code, where /docs serves it from.

import { copyFileSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../src/api/reference/reference.css', import.meta.url))
const target = fileURLToPath(new URL('../dist/docs-ui/', import.meta.url))
mkdirSync(target, { recursive: true })
copyFileSync(source, `${target}reference.css`)
