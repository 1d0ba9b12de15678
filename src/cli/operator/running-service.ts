// Finds the service that runs on the data of this machine, for a command that is told no address. Its port may be an unusual one.

import { DEFAULT_DATA_DIR } from '../../processes/config/schema.js'
import { runningAddressIn } from '../../processes/running-address.js'

/** Returns its base URL; undefined if none runs. */
export function runningService(env: NodeJS.ProcessEnv): string | undefined {
  return runningAddressIn(env['DATA_DIR'] || DEFAULT_DATA_DIR)?.baseUrl
}
