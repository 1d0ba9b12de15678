import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PrivateRemotes } from '../../../src/git/remotes/remote-address.js'
import { fetchClient } from '../../../src/protocols/api/oauth/fetch-client.js'

describe('the metadata at the URL of a client', () => {
  let server: Server
  let answer: RequestListener
  let id: string

  before(async () => {
    server = createServer((request, response) => answer(request, response))
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    id = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client.json`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const during = async <T>(work: () => Promise<T>) => await work()
  const read = async (exceptions = ['127.0.0.0/8'], maxMs = 5_000) =>
    await fetchClient(id, { exceptions: new PrivateRemotes(exceptions), during, maxMs })
  const document = (fields: object = {}) => ({ client_id: id, redirect_uris: ['https://app.example/back'], ...fields })
  const sends = (value: unknown) => {
    answer = (_request, response) => response.end(JSON.stringify(value))
  }

  it('is read, and only what is needed of it', async () => {
    sends(document({ client_name: 'App', jwks_uri: 'http://10.0.0.1/', token_endpoint_auth_method: 'private_key_jwt' }))
    assert.deepEqual(await (await read()).json(), {
      client_id: id,
      client_name: 'App',
      redirect_uris: ['https://app.example/back'],
      application_type: 'web',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
  })

  it('is never fetched from a private address', async () => {
    let isAsked = false
    answer = () => (isAsked = true)
    await assert.rejects(read([]), /has no public address/)
    assert.equal(isAsked, false)
  })

  it('is not followed to another address', async () => {
    answer = (_request, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end()
    await assert.rejects(read(), /redirects too often/)
  })

  it('must come in time', async () => {
    answer = (_request, response) => response.write('{')
    await assert.rejects(read(undefined, 100), /has not sent the metadata within 0.1 seconds/)
  })

  it('must be short', async () => {
    sends(document({ client_name: 'x'.repeat(20_000) }))
    await assert.rejects(read(), /is longer than 16384 bytes/)
  })

  it('must be its own, and a JSON object with an address', async () => {
    sends(document({ client_id: 'https://other.example/' }))
    await assert.rejects(read(), /must have this very URL as its client_id/)
    sends('x')
    await assert.rejects(read(), /must have this very URL/)
    answer = (_request, response) => response.end('<html>')
    await assert.rejects(read(), /has no JSON there/)
    sends(document({ redirect_uris: ['javascript:alert(1)'] }))
    await assert.rejects(read(), /redirect_uris must be/)
  })
})
