// Makes dist/client-package: the typed client as its own package, without code of the service. Its modules are the compiled ones of
// src/protocols/client; the types that src/protocols/client/api-types.ts derives are written out in full.

import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorBody } from '../../dist/schemas/common.js'
import { ERROR_STATUS } from '../../dist/src/protocols/api/routes/error-status.js'
import { ROUTES } from '../../dist/src/protocols/api/routes/table.js'
import { printApiTypes } from './print-api-types.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const source = join(root, 'dist/src/protocols/client')
const target = join(root, 'dist/client-package')

rmSync(target, { recursive: true, force: true })
for (const folder of ['.', 'node']) copyModules(folder)
const errorCodes = Object.keys(ERROR_STATUS).toSorted()
writeFileSync(join(target, 'api-types.d.ts'), printApiTypes({ routes: ROUTES, errorBody, errorCodes }))
writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`)
copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
copyFileSync(join(root, 'src/protocols/client/README.md'), join(target, 'README.md'))

/** Copies modules without source maps and the comments that name them. */
function copyModules(folder) {
  mkdirSync(join(target, folder), { recursive: true })
  for (const name of readdirSync(join(source, folder)).filter((file) => /\.(?:js|d\.ts)$/.test(file))) {
    const text = readFileSync(join(source, folder, name), 'utf8')
    writeFileSync(join(target, folder, name), text.replace(/^\/\/# sourceMappingURL=.*\n?/m, ''))
  }
}

function manifest() {
  const { version, license, engines, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const entry = (path) => ({ types: `${path}.d.ts`, default: `${path}.js` })
  return {
    name: 'palimpsest-client',
    version,
    description: 'The typed client of Palimpsest, a page publishing service whose storage is git',
    license,
    type: 'module',
    sideEffects: false,
    engines,
    exports: { '.': entry('./client'), './node': entry('./node/read-folder') },
    dependencies: { ignore: dependencies.ignore, 'openapi-fetch': dependencies['openapi-fetch'] },
  }
}
