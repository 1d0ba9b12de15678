import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'

interface LockedPackage {
  dev?: boolean
  hasInstallScript?: boolean
}

interface Manifest {
  allowScripts: Record<string, boolean>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

const DRIVER = '@photostructure/sqlite'

describe('the runtime dependencies', () => {
  // Tests run from the project's root, as npm does.
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockedPackage> }
  const runtime = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && dev !== true)

  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest

  // 48 of them are isomorphic-git's (docs/decisions/0069).
  it('are at most 180 packages, all platforms counted', () => {
    assert.ok(runtime.length > 10 && runtime.length <= 180, `${runtime.length} packages`)
  })

  // The driver's script builds it where no binary of the package fits.
  it('have no install scripts, but one that is denied and not needed', () => {
    const { allowScripts } = manifest
    const withScript = runtime.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path)
    assert.deepEqual(withScript, [`node_modules/${DRIVER}`])
    assert.deepEqual(allowScripts, { [DRIVER]: false })
    assert.equal(existsSync(`node_modules/${DRIVER}/build`), false, 'a binary of the package is used')
  })

  for (const platform of ['linux-x64', 'linux-arm64']) {
    for (const libc of ['glibc', 'musl']) {
      it(`bring the SQLite driver for ${platform} with ${libc}, for Node-API 8, which all supported versions of Node have`, () => {
        const folder = `node_modules/${DRIVER}`
        const binary = readFileSync(`${folder}/prebuilds/${platform}/${DRIVER.replace('/', '+')}.${libc}.node`)
        assert.ok(binary.includes(`SQLite format 3`))
        assert.match(readFileSync(`${folder}/binding.gyp`, 'utf8'), /"NAPI_VERSION=8"/)
      })
    }
  }

  it('are pinned to exact versions', () => {
    const { dependencies, devDependencies } = manifest
    for (const version of Object.values({ ...dependencies, ...devDependencies }))
      assert.match(version, /^(?:npm:@?[^@]+@)?\d+\.\d+\.\d+$/)
  })
})
