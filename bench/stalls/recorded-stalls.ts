// Reads the notes of the recorder in a service that was started with it.

import { existsSync, readFileSync } from 'node:fs'

const RECORDER = new URL('./stall-recorder.js', import.meta.url).href

/** Returns environment variables that make a service record its stretches in the file. */
export function recordTo(file: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=${RECORDER}`, STALLS_FILE: file }
}

/** Returns the milliseconds of each stretch of the serving thread that ended after `begun` (since the epoch). Short ones are omitted. */
export function stretchesSince(file: string, begun: number): number[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const noted = lines.map((line) => line.split(' '))
  return noted.filter(([end]) => Number(end) >= begun).map(([, length]) => Number(length))
}
