import { useRouterState } from '@tanstack/react-router'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { Link, useHref } from './link.tsx'

interface TabsProps {
  label: string
  /** The path of each tab is below the store, such as `/products/p_1/media`. */
  tabs: readonly { to: string; label: string }[]
}

/** The tabs of a record. Each tab is a page with its own address. The focus stays on a tab when another page opens. */
export function Tabs({ label, tabs }: TabsProps) {
  const hrefOf = useHref()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const isOpen = (to: string) => hrefOf(to).endsWith(pathname)
  const nav = useRef<HTMLElement>(null)
  useKeptFocus(nav)
  return (
    <nav ref={nav} className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <Link key={tab.to} to={tab.to} aria-current={isOpen(tab.to) ? 'page' : undefined}>
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}

/** The address of the tab that lost the focus with its page, until the page that replaces it is in the document. */
let keptHref: string | undefined

/**
 * Moves the focus from a tab of the replaced page to the same tab of the next page. This is part of the step that
 * replaces the page, because the browser would give a key that is pressed after that step to no element.
 */
function useKeptFocus(nav: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const shown = nav.current
    const links = () => [...(shown?.querySelectorAll('a') ?? [])]
    const kept = links().find(({ href }) => href === keptHref)
    kept?.focus({ preventScroll: true })
    return () => {
      keptHref = links().find((link) => link === document.activeElement)?.href
      queueMicrotask(() => {
        keptHref = undefined
      })
    }
  }, [nav])
}
