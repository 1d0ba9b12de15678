// Writes the one kind of tar that a deploy sends: regular files, each named by its object id (POSIX ustar).

const BLOCK_BYTES = 512

/** The archive of these blobs as parts of one body. */
export function tarOf(blobs: readonly { oid: string; bytes: Blob }[]): Blob {
  const parts = blobs.flatMap(({ oid, bytes }) => [headerOf(oid, bytes.size), bytes, padding(bytes.size)])
  // Two empty blocks end an archive.
  return new Blob([...parts, new Uint8Array(2 * BLOCK_BYTES)], { type: 'application/x-tar' })
}

function headerOf(name: string, size: number): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(BLOCK_BYTES)
  const write = (text: string, at: number) => header.set(new TextEncoder().encode(text), at)
  write(name, 0)
  write('0000644\0', 100)
  write(octal(0, 7), 108)
  write(octal(0, 7), 116)
  write(octal(size, 11), 124)
  write(octal(0, 11), 136)
  // The sum is made with spaces in its own place.
  write('        ', 148)
  write('0', 156)
  write('ustar\u000000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  write(`${octal(sum, 6)} `, 148)
  return header
}

function octal(value: number, digits: number): string {
  return `${value.toString(8).padStart(digits, '0')}\0`
}

function padding(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES)
}
