// Collects garbage, so that a test measures what is still referred to. V8 leaves more of it on a busy machine.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Frees everything that nothing refers to. */
export const collectGarbage = runInNewContext('gc') as () => void
