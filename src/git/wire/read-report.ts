// Reads a server's answer to a push (gitprotocol-pack, "Report Status") as a client does.

const UNPACK = /^unpack (.*)$/
const REFUSED = /^ng (\S+) (.*)$/

/**
 * Returns why a push was refused, in the server's words, with the first refused ref; undefined if all of it was taken. `lines` are
 * those of the report.
 */
export function refusalIn(lines: readonly string[]): string | undefined {
  const [unpack] = lines.flatMap((line) => UNPACK.exec(line)?.[1] ?? [])
  if (unpack === undefined) return 'the answer to the push has no report'
  if (unpack !== 'ok') return unpack
  return lines
    .map((line) => REFUSED.exec(line))
    .find((match) => match !== null)
    ?.slice(1)
    .join(': ')
}
