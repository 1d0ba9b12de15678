// What git is told where it reads or packs for the service: others must notice neither its threads nor its memory.

/**
 * Arguments before a git command. git maps packs into memory, and keeps all that it has read mapped unless it is told
 * how much it may keep: four files of 64 MiB took 260 MiB, and take 20.
 */
export const SMALL_WINDOWS = ['-c', 'core.packedGitWindowSize=1m', '-c', 'core.packedGitLimit=16m']

/** The same for a command that packs. */
export const MODEST_PACKING = ['-c', 'pack.threads=1', '-c', 'pack.windowMemory=64m', ...SMALL_WINDOWS]
