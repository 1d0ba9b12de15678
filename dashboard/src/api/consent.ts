// Asks what a program wants, and sends what the person allows. These requests are no part of the API.

import type { ConsentBody, ConsentData } from '../../../schemas/agents.js'
import { Refusal } from './client.js'
import { overConnection } from './connection.js'
import { askForProof } from './proof.js'

export type { ConsentBody, ConsentData }

export async function readConsent(uid: string, signal: AbortSignal): Promise<ConsentData> {
  return await request<ConsentData>(`/oauth/consent/${encodeURIComponent(uid)}`, { signal })
}

/** Returns the URL at which the browser goes on. */
export async function answerConsent(uid: string, body: ConsentBody): Promise<string> {
  const send = async () =>
    await request<{ goTo: string }>(`/oauth/consent/${encodeURIComponent(uid)}/answer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  try {
    return (await send()).goTo
  } catch (error) {
    const isUnproven = error instanceof Refusal && error.code === 'fresh_proof_required'
    if (!isUnproven || !(await askForProof())) throw error
    return (await send()).goTo
  }
}

async function request<T>(url: string, init: RequestInit): Promise<T> {
  const headers = new Headers(init.headers)
  headers.set('accept', 'application/json')
  const response = await overConnection(fetch(url, { ...init, headers }))
  const body = (await response.json().catch(() => undefined)) as { data: T } | undefined
  if (!response.ok || body === undefined) throw new Refusal(response, body)
  return body.data
}
