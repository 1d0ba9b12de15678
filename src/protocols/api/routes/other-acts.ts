// The acts of people that are no routes of the table, and whether they need a fresh proof (`refuseUnproven`). Each asks for it in its own code.

interface OtherAct {
  /** As it is sent: `POST /session`. */
  act: string
  needsProof: boolean
}

export const OTHER_ACTS: readonly OtherAct[] = [
  { act: 'POST /session', needsProof: false },
  { act: 'DELETE /session', needsProof: false },
  { act: 'DELETE /session?everywhere=true', needsProof: false },
  { act: 'POST /session/passkey/options', needsProof: false },
  { act: 'POST /session/passkey', needsProof: false },
  { act: 'POST /session/proof', needsProof: false },
  { act: 'POST /session/invitation', needsProof: false },
  { act: 'POST /session/invitation/accept', needsProof: false },
  { act: 'GET /session/provider/{id}', needsProof: false },
  { act: 'GET /session/provider/{id}?link', needsProof: true },
  { act: 'GET /session/provider/{id}?prove', needsProof: false },
  { act: 'POST /oauth/consent/{uid}/answer', needsProof: true },
]
