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

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** The path below the store, such as `/orders?status=paid`. */
  to: string
}

/** A link to a page of the open store. It opens in place, and in a new tab as any link does. */
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
  return <a {...rest} href={hrefOf(to)} onClick={follow} />
}
