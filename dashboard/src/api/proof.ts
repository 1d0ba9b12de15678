// Lets a request wait until the person has proved again who they are. A dialog does the asking.

let ask: (() => Promise<boolean>) | undefined
let asking: Promise<boolean> | undefined

/** Sets what asks the person. It answers whether the person gave a proof. */
export function setProofDialog(dialog: (() => Promise<boolean>) | undefined): void {
  ask = dialog
}

const asked = new EventTarget()

/** Calls the listener when the person is asked. Returns a function that removes the listener. */
export function whenProofIsAsked(listener: () => void): () => void {
  asked.addEventListener('asked', listener)
  return () => asked.removeEventListener('asked', listener)
}

/** Asks for a proof. Requests that need one at the same time share the question. */
export async function askForProof(): Promise<boolean> {
  asked.dispatchEvent(new Event('asked'))
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined
  })
  return await asking
}
