// The prefix of a machine that shares its data with others. Names of things that only one machine has (open deploys, previews) begin with
// it, so that a proxy can route by it.

import { ServiceError } from './errors.js'

const DIGITS = 8
/** Numbers of machines are below 10,000, so half of the prefix is zeros. */
const MACHINE_PREFIX = /^0{4}[0-9]{4}/

/** Returns eight digits: the number that the operator gave the machine. */
export function prefixOfMachine(number: number): string {
  return String(number).padStart(DIGITS, '0')
}

/** Whether this begins with the prefix of a machine other than `own`. */
export function isOfOtherMachine(name: string, own: string): boolean {
  return own !== '' && MACHINE_PREFIX.test(name) && !name.startsWith(own)
}

/** Returns the answer of a machine that was asked for something that another one has. */
export function elsewhere(what: 'deploy' | 'preview'): ServiceError {
  return new ServiceError(
    'service_busy',
    `Another node has this ${what}, and the proxy did not send the request there. Try again in a few seconds, or make it anew.`,
  )
}
