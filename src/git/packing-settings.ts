// Settings for git when it reads or packs for the service, so that its threads and memory do not disturb others.

/**
 * Arguments before a git command. git maps packs into memory, and without a limit keeps all that it has read there. Four files of 64 MiB
 * took 260 MiB, and take 20.
 */
export const SMALL_WINDOWS = ['-c', 'core.packedGitWindowSize=1m', '-c', 'core.packedGitLimit=16m']

/** Arguments for a command that packs. */
export const MODEST_PACKING = ['-c', 'pack.threads=1', '-c', 'pack.windowMemory=64m', ...SMALL_WINDOWS]
