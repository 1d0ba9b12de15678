// Signs in with the browser of another machine: the person types a code there (RFC 8628).

import { initiateDeviceAuthorization, pollDeviceAuthorizationGrant, ResponseBodyError } from 'openid-client'
import { cell, printError } from '../terminal/printable.js'
import { asUnusable, registerClient, resourceOf, tokensOf } from './authorization-server.js'
import type { Tokens } from './credentials.js'
import { Unusable } from './unusable.js'

const GRANTS = ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token']

/** Prints the address and the code, and waits for the person. Throws Unusable if the person says no or takes too long. */
export async function signInByDevice(baseUrl: string): Promise<Tokens> {
  const client = await registerClient(baseUrl, { redirect_uris: [], grant_types: GRANTS })
  try {
    const device = await initiateDeviceAuthorization(client, {
      scope: 'read write sites offline_access',
      resource: resourceOf(baseUrl),
    })
    const address = cell(device.verification_uri_complete ?? device.verification_uri, process.stderr)
    const code = cell(device.user_code, process.stderr)
    printError(`Open ${address} in a browser, and check that it shows the code ${code}.`)
    return tokensOf(client, await pollDeviceAuthorizationGrant(client, device))
  } catch (error) {
    if (error instanceof ResponseBodyError && error.error === 'access_denied')
      throw new Unusable('You did not allow it in the browser: nothing was stored.')
    throw asUnusable(error, ' Run "login" again.')
  }
}
