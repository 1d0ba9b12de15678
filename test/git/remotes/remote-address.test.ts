import assert from 'node:assert/strict'
import { findAddresses, isPublicAddress, PrivateRemotes } from '../../../src/git/remotes/remote-address.js'

const NONE = new PrivateRemotes([])
const to =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: 4 }))

describe('the addresses of a remote', () => {
  it('are public ones', () => {
    for (const address of ['93.184.215.14', '100.128.0.1', '172.32.0.1', '2606:2800:21f:cb07::1', '2a00:1450::1'])
      assert.equal(isPublicAddress(address), true, address)
  })

  it('are neither private, local, shared, special nor multicast, in any form', () => {
    const refused =
      `0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1
      192.0.0.8 198.18.0.1 203.0.113.7 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:7f00:1
      ::127.0.0.1 fe80::1 fe80::1%eth0 fc00::1 fd12:3456::1 ff02::1 64:ff9b::a00:1 64:ff9b:1::1 2001::1 2001:db8::1
      2002:7f00:1:: localhost 1 0x7f.1`.split(/\s+/)
    for (const address of refused) assert.equal(isPublicAddress(address), false, address)
  })

  it('are refused if one of them is private, for any spelling of the URL', async () => {
    const hosts = [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f000001',
      '017700000001',
      '[::1]',
      '[::ffff:10.0.0.1]',
      '169.254.169.254',
    ]
    for (const host of hosts)
      await assert.rejects(findAddresses(new URL(`https://${host}/site.git`), NONE), /no public address/, host)
    const mixed = findAddresses(new URL('https://mixed.example/'), NONE, to('93.184.215.14', '10.0.0.1'))
    await assert.rejects(mixed, /mixed\.example has no public address/)
  })

  it('do not reveal whether a name is unknown or private', async () => {
    const messages = [to('10.0.0.1'), to(), () => Promise.reject(new Error('ENOTFOUND'))].map((resolve) =>
      findAddresses(new URL('https://git.internal/'), NONE, resolve).then(String, String),
    )
    assert.equal(new Set(await Promise.all(messages)).size, 1)
  })

  it('may be private if the operator allows it, by host or by network, and only then http', async () => {
    const exceptions = new PrivateRemotes(['git.internal', '10.1.0.0/16', 'fd00::/8'])
    const find = (url: string, ...addresses: string[]) => findAddresses(new URL(url), exceptions, to(...addresses))
    assert.equal((await find('http://git.internal/', '192.168.0.1'))[0]?.address, '192.168.0.1')
    assert.equal((await find('http://other.internal/', '10.1.2.3'))[0]?.address, '10.1.2.3')
    assert.equal((await find('http://[fd00::1]/'))[0]?.address, 'fd00::1')
    assert.equal((await find('https://git.example/', '93.184.215.14'))[0]?.address, '93.184.215.14')
    await assert.rejects(find('http://git.example/', '93.184.215.14'), /https/)
    await assert.rejects(find('http://other.internal/', '10.2.0.1'), /no public address/)
  })
})
