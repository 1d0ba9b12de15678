// A path as people read it. Segments that are written from right to left stand in the order of the path.

export function PathText({ of }: { of: string }) {
  return (
    <bdi dir="ltr">
      {of.split('/').flatMap((segment, at) => [at > 0 && '/', segment !== '' && <bdi key={at}>{segment}</bdi>])}
    </bdi>
  )
}
