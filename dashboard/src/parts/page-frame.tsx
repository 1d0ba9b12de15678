// A hosted page in a frame, loaded from its site's own domain and without any access to the dashboard.

/** Scripts run as they do for visitors, but in an opaque origin: without storage, forms, or access to the parent. */
export function PageFrame({ title, url }: { title: string; url: string | undefined }) {
  return url === undefined ? (
    <div class="frame hint">Nothing to show yet</div>
  ) : (
    <iframe class="frame" title={title} src={url} sandbox="allow-scripts" referrerpolicy="no-referrer" />
  )
}
