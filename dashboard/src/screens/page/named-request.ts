// Reads the change request that an address names. It may be asked for before the site is known.

import { askAhead, takeAhead } from '../../api/ahead.js'
import type { ChangeRequest } from '../../api/client.js'
import { readRequest } from '../../api/requests.js'

export function askForRequest(id: string): void {
  askAhead(keyOf(id), () => readRequest(id))
}

export async function takeRequest(id: string, signal: AbortSignal): Promise<ChangeRequest> {
  return await takeAhead(keyOf(id), () => readRequest(id, signal))
}

function keyOf(id: string): string {
  return `request ${id}`
}
