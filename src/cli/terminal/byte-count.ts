// Writes a number of bytes in words.

const KILOBYTE = 1000

export function formatBytes(bytes: number): string {
  if (bytes < KILOBYTE) return `${bytes} bytes`
  if (bytes < KILOBYTE ** 2) return `${(bytes / KILOBYTE).toFixed(1)} kB`
  return `${(bytes / KILOBYTE ** 2).toFixed(1)} MB`
}
