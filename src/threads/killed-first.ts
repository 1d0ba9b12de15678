// Which processes the kernel ends first where the memory of the machine, or of the service's group, is used up.

/**
 * Of oom_score_adj, proc(5), which goes from -1000 to 1000: a process with so much is ended before the ones that serve, whatever these
 * take. It costs one request, which can be sent again.
 */
export const KILLED_FIRST = 900
