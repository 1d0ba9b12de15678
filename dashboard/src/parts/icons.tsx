// The icons, by the name of their use. A library draws them; the bundle holds only those named here.

import {
  ArrowUpRight,
  Bot,
  Calendar,
  Check,
  ChevronDown,
  ChevronLeft,
  ChevronRight,
  ChevronUp,
  CircleAlert,
  CircleCheck,
  Copy,
  Database,
  Download,
  Ellipsis,
  Eye,
  File,
  FileText,
  Folder,
  Funnel,
  GitBranch,
  Globe,
  House,
  Image,
  Inbox,
  Info,
  Key,
  Link,
  LoaderCircle,
  Lock,
  LogOut,
  Monitor,
  Pencil,
  Plus,
  RotateCcw,
  RotateCcwClock,
  Search,
  Settings,
  Smartphone,
  Trash,
  Undo2,
  Upload,
  User,
  Users,
  X,
} from 'lucide'
import { h } from 'preact'

const ICONS = {
  add: Plus,
  agent: Bot,
  back: ChevronLeft,
  branch: GitBranch,
  busy: LoaderCircle,
  check: Check,
  close: X,
  copy: Copy,
  data: Database,
  date: Calendar,
  delete: Trash,
  desktop: Monitor,
  done: CircleCheck,
  down: ChevronDown,
  download: Download,
  edit: Pencil,
  failed: CircleAlert,
  file: File,
  filter: Funnel,
  folder: Folder,
  history: RotateCcwClock,
  home: House,
  image: Image,
  info: Info,
  key: Key,
  leave: LogOut,
  link: Link,
  lock: Lock,
  more: Ellipsis,
  next: ChevronRight,
  nothing: Inbox,
  open: ArrowUpRight,
  page: FileText,
  people: Users,
  person: User,
  phone: Smartphone,
  restore: RotateCcw,
  search: Search,
  settings: Settings,
  site: Globe,
  undo: Undo2,
  up: ChevronUp,
  upload: Upload,
  view: Eye,
} as const

export type IconName = keyof typeof ICONS

export const ICON_NAMES = Object.keys(ICONS) as IconName[]

/** Says nothing to screen readers: the text or the label beside it does. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {ICONS[name].map(([tag, attributes], at) => h(tag, { key: at, ...attributes }))}
    </svg>
  )
}
