// What the recorder noted in a service that was started with it.

import { existsSync, readFileSync } from 'node:fs'

const RECORDER = new URL('./stall-recorder.js', import.meta.url).href

/** The environment of a service whose stretches go to the file. */
export function recordTo(file: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=${RECORDER}`, STALLS_FILE: file }
}

/** Milliseconds of each stretch of the serving thread that has ended since `begun`, milliseconds since the epoch. Short ones are left out. */
export function stretchesSince(file: string, begun: number): number[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const noted = lines.map((line) => line.split(' '))
  return noted.filter(([end]) => Number(end) >= begun).map(([, length]) => Number(length))
}
