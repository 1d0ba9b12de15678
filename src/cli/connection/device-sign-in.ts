// Signs in with the browser of another machine: the person types a code there (RFC 8628).

import { setTimeout as pause } from 'node:timers/promises'
import { Unusable } from './unusable.js'
import { cell, printError } from '../terminal/printable.js'
import {
  type AuthorizationServer,
  OAuthRefusal,
  postForm,
  registerClient,
  resourceOf,
  type SignedIn,
  type TokenAnswer,
} from './authorization-server.js'

/** Times are in seconds. */
interface DeviceAnswer {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete?: string
  expires_in: number
  interval?: number
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
/** RFC 8628 §3.2 and §3.5. */
const DEFAULT_INTERVAL = 5
const SLOWER_BY = 5

/** Prints the address and the code, and waits for the person. Throws Unusable if the person says no or takes too long. */
export async function signInByDevice(baseUrl: string, server: AuthorizationServer): Promise<SignedIn> {
  const clientId = await registerClient(server, { redirect_uris: [], grant_types: [DEVICE_GRANT, 'refresh_token'] })
  const device = await postForm<DeviceAnswer>(server.device_authorization_endpoint, {
    client_id: clientId,
    scope: 'read write sites offline_access',
    resource: resourceOf(baseUrl),
  })
  const address = cell(device.verification_uri_complete ?? device.verification_uri, process.stderr)
  printError(
    `Open ${address} in a browser, and check that it shows the code ${cell(device.user_code, process.stderr)}.`,
  )
  let interval = device.interval ?? DEFAULT_INTERVAL
  for (;;) {
    await pause(interval * 1000)
    const answer = await poll(server, clientId, device)
    if (answer === 'slow_down') interval += SLOWER_BY
    else if (answer !== 'authorization_pending') return { clientId, answer }
  }
}

async function poll(
  { token_endpoint: url }: AuthorizationServer,
  clientId: string,
  { device_code: code }: DeviceAnswer,
): Promise<TokenAnswer | 'authorization_pending' | 'slow_down'> {
  try {
    return await postForm(url, { grant_type: DEVICE_GRANT, client_id: clientId, device_code: code })
  } catch (error) {
    if (!(error instanceof OAuthRefusal)) throw error
    if (error.code === 'authorization_pending' || error.code === 'slow_down') return error.code
    if (error.code === 'access_denied') throw new Unusable('You did not allow it in the browser: nothing was stored.')
    throw new Unusable(`The service did not sign you in: ${error.message}. Run "login" again.`)
  }
}
