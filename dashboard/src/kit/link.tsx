import { useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { BASE } from '../api/call.ts'
import { useStore } from '../api/store.ts'

/** The address of a page of the open store, such as `/orders/ord_1`. */
export function useHref(): (path: string) => string {
  const { id } = useStore()
  return (path) => `${BASE}/dashboard/${id}${path === '/' ? '' : path}`
}

/** Goes to a page of the open store. */
export function useGo(): (path: string) => void {
  const router = useRouter()
  const hrefOf = useHref()
  return (path) => router.history.push(hrefOf(path))
}

let patterns: readonly RegExp[] = []

/** Names the pages that exist, such as `orders/$id`, once at the start. */
export function setPages(paths: readonly string[]) {
  patterns = paths.map((path) => new RegExp(`^/?${path.replaceAll(/\$\w+/g, '[^/]+')}$`))
}

const exists = (to: string): boolean => {
  const path = to.split('?')[0] ?? ''
  return patterns.some((pattern) => pattern.test(path.replace(/^\//, '') || '/'))
}

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** The path below the store, such as `/orders?status=paid`. */
  to: string
}

/**
 * A link to a page of the open store. It opens in place, and in a new tab as any link does. It is plain text
 * if the page does not exist.
 */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const hrefOf = useHref()
  const go = useGo()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isOther = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (event.defaultPrevented || isOther || event.button !== 0) return
    event.preventDefault()
    go(to)
  }
  if (!exists(to)) return <span>{rest.children}</span>
  return <a {...rest} href={hrefOf(to)} onClick={follow} />
}
