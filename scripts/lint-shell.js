// Runs shellcheck on the hooks, the gate and the programs of deploy/. If shellcheck is missing, says how to install it.

import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

const hooks = readdirSync('src/repository/hooks').filter((name) => name.endsWith('.sh'))
const scripts = [
  '.ci/run',
  '.ci/bare',
  'deploy/install-certificate',
  'deploy/palimpsest',
  ...hooks.map((name) => `src/repository/hooks/${name}`),
]
const { error, status } = spawnSync('shellcheck', ['--external-sources', ...scripts], { stdio: 'inherit' })
if (error !== undefined) console.error(`shellcheck is missing (${error.code}): apt-get install shellcheck`)
process.exitCode = status ?? 1
