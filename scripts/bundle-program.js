// Bundles the program that is run into dist/program. Tests of single modules use what tsc made.

import { build } from 'rolldown'
import { programBundle } from './program-bundle.js'

await build(programBundle('program'))
