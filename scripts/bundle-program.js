// Bundles the program as it is run, each entry in a few files: to load its 1,400 modules one by one takes Node a
// second at every start. Nothing is minified, so that a stack still tells. Tests of single modules use what tsc made.

import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const program = fileURLToPath(new URL('../dist/program/', import.meta.url))

// As deep in dist/ as the modules of src/ are, so that a file named relative to its module is found from here too.
const input = {
  'bin/palimpsest': 'src/main.ts',
  'bin/worker': 'src/workers/worker.ts',
  'bin/writer-thread': 'src/store/writer-thread.ts',
  'bin/checker-thread': 'src/store/checker-thread.ts',
  'bin/indexer-thread': 'src/usecases/indexer-thread.ts',
  'bin/record-validator-thread': 'src/usecases/record-validator-thread.ts',
  'store/pushed-rules': 'src/store/pushed-rules.ts',
}

await build({
  input,
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
    chunkFileNames: 'bin/[name]-[hash].js',
  },
})
