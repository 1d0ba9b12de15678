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
  // The code for proxies becomes a file of its own, which other commands do not load.
  output: { dir: target, cleanDir: true, chunkFileNames: '[name].js' },
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
    type: 'module',
    engines,
    // `npx palimpsest-cli` runs the one command of the package, whatever its name.
    bin: { palimpsest: 'palimpsest.js' },
  }
}
