// The bounds of what people without an account may leave in the catalog: programs that register, requests for consent, sign-ins and
// questions to passkeys. They stay until a person stands behind them, or their time is over.

/** All of them together. Beyond it the oldest of the network with the most make room: nobody is refused because of others. */
export const MAX_UNFINISHED_ROWS = 5_000
/** One parameter of a request to connect a program. */
export const MAX_PARAMETER_CHARACTERS = 2_048
/** All parameters of such a request, or all that is kept of what a program says about itself. */
export const MAX_KEPT_CHARACTERS = 4_096
