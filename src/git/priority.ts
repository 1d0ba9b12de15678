// The priority of programs that the service starts: where the machine is busy, visitors and short requests come before them.

/** Of nice(1), for work that a client waits for. */
export const SERVING_NICENESS = 10
/** For work that nobody waits for. */
export const BACKGROUND_NICENESS = 19

/**
 * The command line that runs a command below the priority of the service, with all that it starts: a priority that is set once the
 * command runs is not that of what it has started by then.
 */
export function niceCommand([program, ...words]: [string, ...string[]], niceness: number): [string, ...string[]] {
  return niceness === 0 ? [program, ...words] : ['nice', '-n', String(niceness), program, ...words]
}
