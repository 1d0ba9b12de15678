// Puts the two files of Swagger UI that /docs serves beside the compiled code. The package itself stays a development
// dependency: one of its own has an install script.

import { copyFileSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const target = fileURLToPath(new URL('../dist/docs-ui/', import.meta.url))
mkdirSync(target, { recursive: true })
for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) copyFileSync(join(source, file), join(target, file))
