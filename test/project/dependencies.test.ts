import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

interface LockedPackage {
  dev?: boolean
  hasInstallScript?: boolean
}

describe('the runtime dependencies', () => {
  // Tests run from the project's root, as npm does.
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockedPackage> }
  const runtime = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && dev !== true)

  // 48 of them are isomorphic-git's (docs/decisions/0069).
  it('are at most 180 packages, all platforms counted', () => {
    assert.ok(runtime.length > 10 && runtime.length <= 180, `${runtime.length} packages`)
  })

  it('have no install scripts', () => {
    assert.deepEqual(
      runtime.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path),
      [],
    )
  })

  it('are pinned to exact versions', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
      string,
      Record<string, string>
    >
    for (const version of Object.values({ ...dependencies, ...devDependencies }))
      assert.match(version, /^(?:npm:@?[^@]+@)?\d+\.\d+\.\d+$/)
  })
})
