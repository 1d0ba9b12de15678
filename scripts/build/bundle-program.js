// Bundles the program into dist/program, together with the hooks and the style sheet of the API reference.
// Tests of single modules use the output of tsc instead.

import { copyFileSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { copyHooks } from './copy-hooks.js'
import { programBundle } from './program-bundle.js'

await build(programBundle('program'))
copyHooks('program')

const styles = fileURLToPath(new URL('../../src/protocols/api/reference/reference.css', import.meta.url))
const served = fileURLToPath(new URL('../../dist/docs-ui/', import.meta.url))
mkdirSync(served, { recursive: true })
copyFileSync(styles, `${served}reference.css`)
