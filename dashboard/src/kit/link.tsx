import { useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { BASE } from '../api/call.ts'
import { useStore } from '../api/store.ts'
import type { PageEntry } from './page-entry.ts'

/** The address of a page of the open store, such as `/orders/ord_1`. */
export function useHref(): (path: string) => string {
  const { id } = useStore()
  return (path) => `${BASE}/dashboard/${id}${path === '/' ? '' : path}`
}

/** Returns a function that opens a page of the open store. */
export function useOpenPage(): (path: string) => void {
  const router = useRouter()
  const hrefOf = useHref()
  return (path) => router.history.push(hrefOf(path))
}

interface PageCode {
  path: string
  /** The name of the page in the navigation; undefined for records and tabs. */
  label: string | undefined
  pattern: RegExp
  load: () => Promise<unknown>
}
let pages: readonly PageCode[] = []

/** Registers the pages that exist, such as `orders/$id`. Called once at the start. */
export function setPages(entries: readonly PageEntry[]) {
  pages = entries.map(({ path, nav, load }) => ({
    path,
    label: nav?.label,
    pattern: new RegExp(`^/?${path.replaceAll(/\$\w+/g, '[^/]+')}$`),
    load,
  }))
}

function pageAt(to: string): PageCode | undefined {
  const path = to.split(/[?#]/)[0]?.replace(/^\//, '') || '/'
  return pages.find(({ pattern }) => pattern.test(path))
}

/** The name in the navigation of the page at a path below the store; undefined for records and tabs. */
export const labelAt = (to: string): string | undefined => pageAt(to)?.label

/** The list from which a record is opened: the page of the navigation above its path. */
export function listAbove(to: string): { to: string; label: string } | undefined {
  const segments = to.replace(/^\//, '').split('/')
  while (segments.pop() !== undefined && segments.length > 0) {
    const { label } = pages.find(({ path }) => path === segments.join('/')) ?? {}
    if (label !== undefined) return { to: `/${segments.join('/')}`, label }
  }
  return undefined
}

/** Loads the code of the page at a path below the store. A failure is shown when the page opens. */
export const preparePage = async (to: string): Promise<void> => {
  await pageAt(to)
    ?.load()
    .catch(() => {})
}

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** The path below the store, such as `/orders?status=paid`. */
  to: string
}

/**
 * A link to a page of the open store. It opens in the same tab, or in a new tab if the user asks
 * for one. It is plain text if the page does not exist.
 */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const hrefOf = useHref()
  const openPage = useOpenPage()
  const page = pageAt(to)
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const hasModifier = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (event.defaultPrevented || hasModifier || event.button !== 0) return
    event.preventDefault()
    openPage(to)
  }
  if (!page) return <span>{rest.children}</span>
  // The code is requested before the click ends, so that the page opens sooner.
  const prepare = () => void preparePage(to)
  return (
    <a
      {...rest}
      href={hrefOf(to)}
      onClick={follow}
      onPointerEnter={prepare}
      onPointerDown={prepare}
      onFocus={prepare}
    />
  )
}
