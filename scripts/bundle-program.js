// Bundles the program that is run into dist/program. Tests of single modules use what tsc made.

import { build } from 'rolldown'
import { copyHooks } from './copy-hooks.js'
import { programBundle } from './program-bundle.js'

await build(programBundle('program'))
for (const folder of ['src', 'program']) copyHooks(folder)
