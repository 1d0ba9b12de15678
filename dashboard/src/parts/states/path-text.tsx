// A path as people read it. Segments that are written from right to left stand in the order of the path.

/** Characters at the end of a long path that are always shown: they tell the pages of one folder apart. */
const END = 12
const ASCII = /^[ -~]*$/

/** A path in one line: where it is too long, its middle is left out. */
export function PathInLine({ of }: { of: string }) {
  // Letters that are joined or stand in another order are not parted.
  if (of.length <= 2 * END || !ASCII.test(of)) return <PathText of={of} />
  return (
    <span class="in-line">
      <span>{of.slice(0, -END)}</span>
      <span>{of.slice(-END)}</span>
    </span>
  )
}

export function PathText({ of }: { of: string }) {
  return (
    <bdi dir="ltr">
      {of.split('/').flatMap((segment, at) => [at > 0 && '/', segment !== '' && <bdi key={at}>{segment}</bdi>])}
    </bdi>
  )
}
