import { useRouterState } from '@tanstack/react-router'
import { Link, useHref } from './link.tsx'

interface TabsProps {
  label: string
  /** The path of each tab is below the store, such as `/products/p_1/media`. */
  tabs: readonly { to: string; label: string }[]
}

/** The tabs of a record. Each tab is a page with its own address. */
export function Tabs({ label, tabs }: TabsProps) {
  const hrefOf = useHref()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const isOpen = (to: string) => hrefOf(to).endsWith(pathname)
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <Link key={tab.to} to={tab.to} aria-current={isOpen(tab.to) ? 'page' : undefined}>
          {tab.label}
        </Link>
      ))}
    </nav>
  )
}
