// Writes the one kind of tar that a deploy sends: regular files, each named by its oid (POSIX ustar).

const BLOCK_BYTES = 512

/**
 * Returns the archive of these blobs, in memory in one piece. `fetch` sends each part of a body separately, through its streams and to the
 * socket, which costs more than copying it.
 */
export async function tarOf(blobs: readonly { oid: string; bytes: Blob }[]): Promise<Blob> {
  // Two empty blocks end an archive.
  const archive = new Uint8Array(blobs.reduce((sum, { bytes }) => sum + entryBytes(bytes), 2 * BLOCK_BYTES))
  let at = 0
  const places = blobs.map(({ oid, bytes }) => {
    const place = { oid, bytes, at }
    at += entryBytes(bytes)
    return place
  })
  await Promise.all(
    places.map(async ({ oid, bytes, at: start }) => {
      writeHeader(archive.subarray(start, start + BLOCK_BYTES), oid, bytes.size)
      archive.set(new Uint8Array(await bytes.arrayBuffer()), start + BLOCK_BYTES)
    }),
  )
  return new Blob([archive], { type: 'application/x-tar' })
}

/** Returns the bytes of an entry with its header, filled up to whole blocks. */
function entryBytes({ size }: Blob): number {
  return (1 + Math.ceil(size / BLOCK_BYTES)) * BLOCK_BYTES
}

/** Writes a header into a block of zeros. */
function writeHeader(header: Uint8Array, name: string, size: number): void {
  const write = (text: string, at: number) => header.set(new TextEncoder().encode(text), at)
  write(name, 0)
  write('0000644\0', 100)
  write(octal(0, 7), 108)
  write(octal(0, 7), 116)
  write(octal(size, 11), 124)
  write(octal(0, 11), 136)
  // The checksum is computed with spaces in its own place.
  write('        ', 148)
  write('0', 156)
  write('ustar\u000000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  write(`${octal(sum, 6)} `, 148)
}

function octal(value: number, digits: number): string {
  return `${value.toString(8).padStart(digits, '0')}\0`
}
