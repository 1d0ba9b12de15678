// Bundles the program as it is run, each entry in a few files: to load its 1,400 modules one by one takes Node a
// second at every start. Nothing is minified, so that stack traces stay readable. Tests of single modules use what tsc made.

import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { ENTRIES } from '../dist/src/threads/entries.js'

const compiled = fileURLToPath(new URL('../dist/src/', import.meta.url))
const program = fileURLToPath(new URL('../dist/program/', import.meta.url))

/** `workers/worker: src/workers/worker.ts`: an entry keeps its folder, so that its URL is found from the bundle too. */
const input = Object.fromEntries(
  Object.values(ENTRIES).map((url) => {
    const name = relative(compiled, fileURLToPath(url)).replace(/\.js$/, '')
    return [name, `src/${name}.ts`]
  }),
)

await build({
  input: { 'bin/palimpsest': 'src/main.ts', ...input },
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  platform: 'node',
  // It has a native part.
  external: ['libsql'],
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  // Koa's depd makes its wrappers with eval.
  checks: { eval: false },
  output: {
    dir: program,
    cleanDir: true,
    sourcemap: true,
    entryFileNames: '[name].js',
    // As deep as modules that name files relative to themselves are in dist/src.
    chunkFileNames: 'bin/[name]-[hash].js',
  },
})
