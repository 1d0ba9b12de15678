import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { routeByHost } from '../../../src/protocols/http/route-by-host.js'

const BASE = { to: 'base' }
const NOWHERE = { to: 'nowhere' }
const site = (label: string) => ({ to: 'site', label })

describe('the route of a host', () => {
  it('finds sites below localhost on one machine; every other single-label name and address is the base host', () => {
    const routeOf = routeByHost({ baseUrl: 'http://localhost:8080', siteDomain: 'localhost:8080', baseHosts: [] })
    assert.deepEqual(routeOf('demo.localhost'), site('demo'))
    for (const host of ['localhost', 'pages', '127.0.0.1', '10.0.0.7', '[::1]', '[2001:db8::7]']) {
      assert.deepEqual(routeOf(host), BASE, host)
    }
    for (const host of ['a.demo.localhost', 'example.test', '127.0.0.1.example.test', 'demo.localhost.test', '1.2.3']) {
      assert.deepEqual(routeOf(host), NOWHERE, host)
    }
  })

  it('finds sites one label below the site domain on two domains; the configured names are the base host', () => {
    const routeOf = routeByHost({
      baseUrl: 'https://Palimpsest.example',
      siteDomain: 'Pages.test:443',
      baseHosts: ['api.example', 'console.pages.test:8443'],
    })
    assert.deepEqual(routeOf('demo.pages.test'), site('demo'))
    assert.deepEqual(routeOf('www.pages.test'), site('www'))
    for (const host of ['palimpsest.example', 'api.example', 'console.pages.test', 'localhost', '192.0.2.1']) {
      assert.deepEqual(routeOf(host), BASE, host)
    }
    for (const host of [
      'pages.test',
      'a.b.pages.test',
      'demopages.test',
      'demo.pages.test.evil.test',
      'www.palimpsest.example',
    ]) {
      assert.deepEqual(routeOf(host), NOWHERE, host)
    }
  })
})
