// What a server answers to a push (gitprotocol-pack, "Report Status"), as a client reads it.

const UNPACK = /^unpack (.*)$/
const REFUSED = /^ng (\S+) (.*)$/

/**
 * Why a push was refused, in the server's words, with the first ref that was; undefined where all of it was taken. `lines` are those of the
 * report.
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
