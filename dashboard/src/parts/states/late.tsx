// Screens whose code is loaded when a person first opens one of them.

import type { ComponentChildren } from 'preact'
import { isReachable, reportLost } from '../../api/connection.js'
import { useLoaded } from '../../api/use-loaded.js'
import { Await } from '../states/await.js'

interface LateProps<Screens> {
  /** Names the screens. */
  of: string
  load: () => Promise<Screens>
  children: (screens: Screens) => ComponentChildren
}

/** Loads the code first. After an update of the service, an open page may name a file that no longer exists. */
export function Late<Screens>({ of, load, children }: LateProps<Screens>) {
  const screens = useLoaded(of, async () => await load().catch(explain))
  return <Await of={screens}>{children}</Await>
}

async function explain(cause: unknown): Promise<never> {
  if (!(await isReachable())) throw reportLost(cause)
  throw new Error('This screen cannot be loaded. Reload the page.', { cause })
}
