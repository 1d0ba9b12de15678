import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { useTemporaryFolders } from '../../catalog/temporary-folder.js'
import { endProcesses, MAIN, run, runPalimpsest, serve } from '../../scenarios/serve-process.js'

describe('a command beside the service', () => {
  const makeFolder = useTemporaryFolders()
  afterEach(endProcesses)

  const linkOf = async (dataDir: string) => {
    const { code, stdout, stderr } = await runPalimpsest({ DATA_DIR: dataDir }, 'login-link')
    assert.equal(code, 0, stderr)
    return stdout
  }

  it('makes a link to the port at which the service runs, whatever PORT says', async () => {
    const dataDir = makeFolder()
    const served = await serve({ dataDir })
    assert.match(await linkOf(dataDir), new RegExp(`^http://localhost:${served.port}/sign-in#`))
  })

  for (const [signal, isLeft] of [
    ['SIGTERM', false],
    ['SIGKILL', true],
  ] as const)
    it(`makes a link to the configured port after the service ended by ${signal}`, async () => {
      const dataDir = makeFolder()
      const served = await serve({ dataDir })
      assert.match(await linkOf(dataDir), new RegExp(`:${served.port}/`))
      served.signal(signal)
      await served.ended
      assert.equal(existsSync(join(dataDir, 'serve.address.json')), isLeft)
      assert.match(await linkOf(dataDir), /^http:\/\/localhost:8080\/sign-in#/)
    })

  it('asks for a key where PALIMPSEST_URL names a service, also if sites are here', async () => {
    const folder = makeFolder()
    await serve({ dataDir: join(folder, 'repos') })
    const ask = (...args: string[]) =>
      run(process.execPath, [MAIN, ...args], {
        cwd: folder,
        env: { PATH: process.env['PATH'], HOME: folder, PALIMPSEST_URL: 'http://localhost:9' },
      })
    for (const args of [
      ['sites', 'list'],
      ['sites', 'create', 'new'],
      ['sites', 'import', 'https://git.example/x.git'],
    ]) {
      const { code, stderr } = await ask(...args)
      assert.equal(code, 2, args.join(' '))
      assert.match(stderr, /There is no key for http:\/\/localhost:9: set PALIMPSEST_TOKEN, or run ".*login"\./)
    }
  })
})
