// The preview of a page in a frame, loaded from a host of its own, without any access to the dashboard.

interface PageFrameProps {
  title: string
  /** The URL of a preview. The rules of a site may forbid browsers to show a live page in a frame. */
  url: string
}

/** Scripts run as for visitors, but in an opaque origin: without storage, forms, or access to the parent. */
export function PageFrame({ title, url }: PageFrameProps) {
  return <iframe class="frame" title={title} src={url} sandbox="allow-scripts" referrerpolicy="no-referrer" />
}
