// A device of the browser's own that makes passkeys and touches itself.

import type { CDPSession, Page } from 'playwright-core'

const DEVICE = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

/** Gives the tab such a device. Returns the way to speak to it. */
export async function addDevice(tab: Page): Promise<{ devices: CDPSession; authenticatorId: string }> {
  const devices = await tab.context().newCDPSession(tab)
  await devices.send('WebAuthn.enable')
  return { devices, ...(await devices.send('WebAuthn.addVirtualAuthenticator', { options: DEVICE })) }
}
