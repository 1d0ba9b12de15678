// A tree, such as of folders. Arrows move, open and close; Home and End go to the ends; Enter and Space choose.

import { useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from '../icons.js'

export interface TreeNode {
  key: string
  label: string
  icon?: IconName
  /** Shown at the end of the row. */
  count?: number
  children?: readonly TreeNode[]
}

interface TreeProps {
  label: string
  nodes: readonly TreeNode[]
  chosen?: string | undefined
  onChoose: (key: string) => void
  /** The keys of the nodes that are open at first. */
  openAtFirst?: readonly string[]
}

export function Tree({ label, nodes, chosen, onChoose, openAtFirst = [] }: TreeProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(openAtFirst))
  const list = useRef<HTMLUListElement>(null)
  const setIsOpen = (key: string, isOpen: boolean) =>
    setOpen((before) => (isOpen ? new Set([...before, key]) : new Set([...before].filter((each) => each !== key))))
  const onKey = (event: KeyboardEvent) => {
    const item = (event.target as Element).closest<HTMLElement>('[role=treeitem]')
    if (item === null || list.current === null || event.ctrlKey || event.metaKey || event.altKey) return
    if (act(list.current, item, event.key, setIsOpen, onChoose)) event.preventDefault()
  }
  // Tab reaches one item: the chosen one, or the first where that is in a closed folder.
  const reached = isShown(nodes, open, chosen) ? chosen : nodes[0]?.key
  return (
    <ul ref={list} class="tree" role="tree" aria-label={label} onKeyDown={onKey}>
      {nodes.map((node) => (
        <Node key={node.key} node={node} shared={{ open, chosen, reached, setIsOpen, onChoose }} />
      ))}
    </ul>
  )
}

interface Shared {
  open: ReadonlySet<string>
  chosen: string | undefined
  reached: string | undefined
  setIsOpen: (key: string, isOpen: boolean) => void
  onChoose: (key: string) => void
}

interface NodeProps {
  node: TreeNode
  shared: Shared
  /** Counted from 1. */
  level?: number
}

function Node({ node: { key, label, icon = 'folder', count, children = [] }, shared, level = 1 }: NodeProps) {
  const { open, chosen, reached, setIsOpen, onChoose } = shared
  const isOpen = open.has(key)
  const hasMore = children.length > 0
  return (
    <li role="none">
      <div
        class="tree-row"
        role="treeitem"
        tabIndex={reached === key ? 0 : -1}
        data-key={key}
        title={label}
        aria-level={level}
        aria-expanded={hasMore ? isOpen : undefined}
        aria-selected={chosen === key}
        onClick={() => onChoose(key)}
      >
        {hasMore ? (
          <span
            class="turn"
            onClick={(event) => {
              event.stopPropagation()
              setIsOpen(key, !isOpen)
            }}
          >
            <Icon name="next" />
          </span>
        ) : (
          <span class="turn" />
        )}
        <Icon name={icon} />
        <span class="name">{label}</span>
        {count !== undefined && <span class="hint">{count}</span>}
      </div>
      {hasMore && isOpen && (
        <ul role="group">
          {children.map((child) => (
            <Node key={child.key} node={child} shared={shared} level={level + 1} />
          ))}
        </ul>
      )}
    </li>
  )
}

function isShown(nodes: readonly TreeNode[], open: ReadonlySet<string>, key: string | undefined): boolean {
  return nodes.some((node) => node.key === key || (open.has(node.key) && isShown(node.children ?? [], open, key)))
}

/** Does what the key means at this item. Returns whether it means something. */
function act(
  list: HTMLElement,
  item: HTMLElement,
  key: string,
  setIsOpen: Shared['setIsOpen'],
  onChoose: Shared['onChoose'],
): boolean {
  const own = item.dataset['key'] ?? ''
  const isOpen = item.ariaExpanded === 'true'
  const items = [...list.querySelectorAll<HTMLElement>('[role=treeitem]')]
  const at = items.indexOf(item)
  const go = (to: HTMLElement | null | undefined) => {
    to?.focus()
    return true
  }
  if (key === 'ArrowDown') return go(items[at + 1])
  if (key === 'ArrowUp') return go(items[at - 1])
  if (key === 'Home') return go(items[0])
  if (key === 'End') return go(items.at(-1))
  if (key === 'ArrowRight' && isOpen) return go(items[at + 1])
  if (key === 'ArrowLeft' && !isOpen) return go(parentOf(items, at))
  if (key === 'ArrowRight' || key === 'ArrowLeft') setIsOpen(own, key === 'ArrowRight')
  else if (key === 'Enter' || key === ' ') onChoose(own)
  else return false
  return true
}

/** The nearest item above of a lower level. */
function parentOf(items: readonly HTMLElement[], at: number): HTMLElement | undefined {
  const level = Number(items[at]?.ariaLevel)
  return items.slice(0, at).findLast((item) => Number(item.ariaLevel) < level)
}
