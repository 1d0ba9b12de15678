// Makes dist/cli-package: the commands of authors as a package of their own, without dependencies.

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const root = fileURLToPath(new URL('../..', import.meta.url))
const target = `${root}dist/cli-package/`

await build({
  input: { palimpsest: 'src/cli-main.ts' },
  cwd: root,
  platform: 'node',
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  output: {
    dir: target,
    cleanDir: true,
    // Node starts CommonJS sooner than modules.
    format: 'cjs',
    // The code for proxies, for sign-in and for `dev` become files of their own, which other commands do not load.
    chunkFileNames: '[name].js',
    // Shorter, and its errors still name functions as they are.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  },
})
writeFileSync(`${target}package.json`, `${JSON.stringify(manifest(), undefined, 2)}\n`)
copyFileSync(`${root}LICENSE`, `${target}LICENSE`)
copyFileSync(`${root}src/cli/README.md`, `${target}README.md`)

function manifest() {
  const { version, license, engines } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  return {
    name: 'palimpsest-cli',
    version,
    description: 'The command line of Palimpsest, a page publishing service whose storage is git',
    license,
    type: 'commonjs',
    engines,
    // `npx palimpsest-cli` runs the one command of the package, whatever its name.
    bin: { palimpsest: 'palimpsest.js' },
  }
}
