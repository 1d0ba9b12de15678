// The keys that sign commits on several nodes: one for each, and known to all.

import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownKeyIn } from '../../../../src/repository/disk/signing-key.js'
import { toOpenSsh } from '../../../../src/git/objects/commit-signature.js'
import { runPalimpsest } from '../../../scenarios/serve-process.js'
import { git } from '../../../support/git.js'
import { NodeServices } from '../node-services.js'
import { until } from '../../../support/within.js'

describe('the keys that sign commits on nodes', () => {
  let services: NodeServices
  let pages = 0

  before(async function () {
    services = await NodeServices.start()
  })
  after(() => services?.stop())

  const dataDirOf = (node: number) => services.nodes[node]?.dataDir ?? ''
  const keyOf = (node: number) => toOpenSsh(ownKeyIn(dataDirOf(node)) ?? '')
  const signersOf = async (node: number) =>
    await (await fetch(`http://127.0.0.1:${services.at(node).port}/allowed_signers`)).text()
  const run = (node: number, ...args: string[]) =>
    runPalimpsest({ DATA_DIR: dataDirOf(node), DATABASE_URL: services.url }, 'signing', ...args)

  /** A node that has just joined lacks the site for a moment. */
  async function publish(node: number): Promise<{ id: string; commit: string }> {
    const page = { path: `/signed-${++pages}`, html: '<p>' }
    const { body } = await until(
      () => services.ask(node, 'POST', '/pages', page),
      ({ status }) => status === 201,
    )
    return { id: body.data.id, commit: body.data.version.id }
  }

  async function verifiedBy(node: number, id: string): Promise<string> {
    const { body } = await services.ask(node, 'GET', `/pages/${id}/versions`)
    return body.data[0].verified
  }

  it("differ for each node, and each node verifies the other's commits, as git does with the published keys", async () => {
    assert.notEqual(keyOf(0), keyOf(1))
    for (const [writer, reader] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const { id, commit } = await publish(writer)
      assert.equal(await verifiedBy(reader, id), 'service')
      const file = `gpg.ssh.allowedSignersFile=${join(dataDirOf(reader), 'signing', 'allowed_signers')}`
      git(services.gitdir(reader), '-c', file, 'verify-commit', commit)
      assert.ok((await signersOf(reader)).includes(keyOf(writer)))
    }
  })

  it('stay private: a node publishes only the public key', async () => {
    const rows = await services.database.query('SELECT * FROM palimpsest.signers', services.url)
    assert.equal(rows.length, 2)
    for (const node of [0, 1]) {
      const pem = readFileSync(join(dataDirOf(node), 'signing', 'key.pem'), 'utf8')
      assert.ok(!JSON.stringify(rows).includes(pem.split('\n')[1] ?? ''))
    }
  })

  it('are known to the other nodes before the first commit of a node that joins', async () => {
    const joined = await services.add()
    const { id } = await publish(2)
    assert.equal(await verifiedBy(0, id), 'service')
    await joined.server.stop()
    rmSync(joined.dataDir, { recursive: true })
    services.nodes.pop()
    // The node is gone for good: its signatures stay valid, on a node that never met it too.
    const late = await services.add()
    assert.equal(await until(() => verifiedBy(2, id).catch(() => ''), Boolean), 'service')
    await late.server.stop()
    services.nodes.pop()
    rmSync(late.dataDir, { recursive: true })
  })

  it('are listed and rotated by command, and a new one is known to the other node before it signs', async () => {
    const before = keyOf(0)
    const { id } = await publish(0)
    const rotated = await run(0, 'rotate')
    assert.equal(rotated.code, 0, rotated.stderr)
    const after = keyOf(0)
    assert.notEqual(after, before)
    const next = await publish(0)
    for (const page of [id, next.id]) assert.equal(await verifiedBy(1, page), 'service')
    const listed = (await run(1, 'list')).stdout.split('\n')
    assert.match(listed.find((line) => line.startsWith(before)) ?? '', /\tuntil \d{4}-/)
    assert.match(listed.find((line) => line.startsWith(after)) ?? '', /^\S+\t\t/)
    assert.match(listed.find((line) => line.startsWith(keyOf(1))) ?? '', /\tsigns here$/)
    await until(
      () => signersOf(1),
      (text) => new RegExp(`valid-before="\\d{14}Z" ssh-ed25519 ${before.replaceAll('+', '\\+')}`).test(text),
    )
  })

  it('can be revoked through another node: the node makes a new one, and signatures of the old one no longer count', async () => {
    const stolen = mkdtempSync(join(tmpdir(), 'palimpsest-stolen-'))
    cpSync(join(dataDirOf(1), 'signing'), join(stolen, 'signing'), { recursive: true })
    const before = keyOf(1)
    assert.match((await run(1, 'revoke', before)).stderr, /use "signing rotate"/)
    const revoked = await run(0, 'revoke', before)
    assert.equal(revoked.code, 0, revoked.stderr)
    await until(
      async () => keyOf(1),
      (key) => key !== before,
    )
    const { id } = await publish(1)
    for (const node of [0, 1]) assert.equal(await verifiedBy(node, id), 'service')
    for (const node of [0, 1]) assert.match(await signersOf(node), new RegExp(`valid-before="\\d{14}Z" .*`))

    // A disk of before, as of a restored machine: its node signs with a new key.
    const again = await services.add({ DATA_DIR: stolen })
    assert.ok(existsSync(join(stolen, 'signing', 'key.pem')))
    assert.notEqual(toOpenSsh(ownKeyIn(stolen) ?? ''), before)
    const page = await publish(2)
    assert.equal(await verifiedBy(0, page.id), 'service')
    await again.server.stop()
    services.nodes.pop()
    for (const folder of [stolen, again.dataDir]) rmSync(folder, { recursive: true, force: true })
  })

  it('are published again if the database lost them', async () => {
    await services.database.query('DELETE FROM palimpsest.signers', services.url)
    await until(
      () => services.database.query('SELECT key FROM palimpsest.signers', services.url),
      (rows) => rows.length >= 4,
    )
    const { id } = await publish(0)
    assert.equal(await verifiedBy(1, id), 'service')
  })
})
