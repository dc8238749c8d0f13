import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { BASE } from '../api/call.ts'
import { loadWhenOnline } from '../api/load-code.ts'
import { useStore } from '../api/store.ts'
import { ConnectionNotice } from '../kit/connection.tsx'
import { useCounts } from '../kit/counts.ts'
import { formatNumber } from '../kit/format.ts'
import { Link, labelAt, useHref } from '../kit/link.tsx'
import { Page } from '../kit/page.tsx'
import { GROUPS, linkPathOf, type PageEntry } from '../kit/page-entry.ts'
import { Skeleton } from '../kit/states.tsx'
import { Toasts } from '../kit/toast.tsx'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { shell } from '../text/shell.ts'
import { useImportOnDemand } from './deferred-import.ts'
import { useLive } from './live.ts'
import { useOpening } from './opening.ts'
import { PageFocus } from './page-focus.ts'
import { entriesFor } from './pages.ts'
import { Shortcuts } from './shortcuts.tsx'
import { followSignOut } from './sign-out.ts'
import { usePalette } from './use-palette.tsx'

/**
 * The frame of every page of a store: navigation, store switcher, search, and the counts of waiting
 * records.
 */
export function Shell() {
  useLive()
  const store = useStore()
  const { openPalette, palette } = usePalette()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const opening = useOpening(main)
  const userName = store.me.user.name || store.me.user.email
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu.
  useEffect(() => setMenuOpen(false), [pathname])
  useEffect(followSignOut, [])

  return (
    <div className="shell" data-menu={isMenuOpen}>
      <a className="skip" href="#content">
        {shell.skip}
      </a>
      <header className="top-bar">
        <button
          type="button"
          className="menu-button"
          aria-expanded={isMenuOpen}
          aria-controls="navigation"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          {shell.menu}
        </button>
        <MenuButton menu="StoreMenu" className="store-button">
          <span className="store-name">{store.name}</span>
          <span className={store.livemode ? 'state paid' : 'state waiting'}>
            {store.livemode ? common.live : common.testMode}
          </span>
        </MenuButton>
        <button type="button" className="search-button" onClick={openPalette}>
          <span className="long">{shell.palette}</span>
          <span className="short">{shell.search}</span> <kbd>Ctrl K</kbd>
        </button>
        <MenuButton menu="UserMenu" className="user-button">
          <span className="long named">{userName}</span>
          <span className="short" aria-hidden="true">
            {initialsOf(userName)}
          </span>
        </MenuButton>
      </header>
      <Navigation />
      <main id="content" ref={main} data-opening={opening}>
        <ConnectionNotice />
        <StoredChanges />
        {!store.livemode && <p className="test-banner">{shell.testBanner}</p>}
        <Outlet />
        {opening && <OpeningPage key={pathname} isTab={opening === 'tab'} />}
      </main>
      {palette}
      <PageFocus main={main} />
      <Shortcuts openPalette={openPalette} />
      <Toasts />
    </div>
  )
}

/** The page that was opened, until its code is loaded. The page or the tab that was left stays hidden meanwhile. */
function OpeningPage({ isTab }: { isTab: boolean }) {
  const hrefOf = useHref()
  const label = labelAt(location.pathname.slice(hrefOf('/').length))
  return (
    <div className="opening">
      {isTab || label === undefined ? (
        <Skeleton />
      ) : (
        <Page title={label}>
          <Skeleton />
        </Page>
      )}
    </div>
  )
}

/** The first letters of the first two words of a name, for narrow screens. */
const initialsOf = (name: string): string =>
  name
    .split(/[\s.@_-]+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toLocaleUpperCase())
    .join('')

const loadFormerChanges = () => import('./former-changes.tsx')

/** The changes that a former page of this tab stored. Their code is loaded only if there are any. */
function StoredChanges() {
  const [code, setCode] = useState<Awaited<ReturnType<typeof loadFormerChanges>>>()
  useEffect(() => {
    if (sessionStorage.length > 0) loadWhenOnline(loadFormerChanges).then(setCode, () => {})
  }, [])
  return code ? <code.FormerChanges /> : null
}

/** The groups after the everyday ones are folded unless they have the open page, so that the list fits most screens. */
const FOLDED_FROM = GROUPS.indexOf('client')

function Navigation() {
  const listRef = useRef<HTMLElement>(null)
  const counts = useCounts()
  const { role } = useStore()
  const hrefOf = useHref()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const isCurrent = (path: string) => {
    const href = hrefOf(linkPathOf({ path })).slice(BASE.length)
    const fullPath = pathname.startsWith('/dashboard') ? pathname : `/dashboard${pathname}`
    return fullPath === href || (path !== '/' && fullPath.startsWith(`${href}/`))
  }
  // The list is longer than most screens. The router restores its scroll position when a page opens, so the list
  // scrolls to the current entry only after that.
  const router = useRouter()
  useEffect(() => {
    const scroll = () => scrollToCurrentEntry(listRef.current)
    scroll()
    return router.subscribe('onRendered', scroll)
  }, [router])
  return (
    <nav ref={listRef} id="navigation" className="navigation" aria-label={shell.navigation}>
      {GROUPS.map((group, index) => {
        const entries = entriesFor(role).filter(({ nav }) => nav?.group === group)
        if (entries.length === 0) return null
        const isOpenEntry = ({ path, nav }: PageEntry) =>
          [path, ...(nav?.tabs ?? [])].some(isCurrent)
        const countOf = ({ nav }: PageEntry) => (nav?.count && counts?.[nav.count]) || 0
        const list = (
          <ul key={group}>
            {entries.map((entry) => (
              <li key={entry.path}>
                <Link to={linkPathOf(entry)} aria-current={isOpenEntry(entry) ? 'page' : undefined}>
                  {entry.nav?.label}
                  <WaitingCount count={countOf(entry)} />
                </Link>
              </li>
            ))}
          </ul>
        )
        if (group === 'home') return list
        return (
          <details key={group} open={index < FOLDED_FROM || entries.some(isOpenEntry)}>
            <summary className="group">
              {shell[group]}
              <WaitingCount count={entries.reduce((sum, entry) => sum + countOf(entry), 0)} />
            </summary>
            {list}
          </details>
        )
      })}
      <p className="nav-end">
        <a href={`${BASE}/docs`}>{shell.reference}</a>
      </p>
    </nav>
  )
}

function scrollToCurrentEntry(list: HTMLElement | null) {
  const entry = list?.querySelector<HTMLElement>('[aria-current]')
  if (!list || !entry) return
  const { top, bottom } = list.getBoundingClientRect()
  const box = entry.getBoundingClientRect()
  if (box.top < top || box.bottom > bottom) list.scrollTop += box.top - (top + bottom) / 2
}

/** The number of waiting records, next to an entry of the navigation. */
const WaitingCount = ({ count }: { count: number }) =>
  count > 0 && (
    <span className="count">
      <span aria-hidden="true">{formatNumber(count)}</span>
      <span className="visually-hidden"> {fill(shell.waiting, { n: formatNumber(count) })}</span>
    </span>
  )

const loadMenus = () => import('./menus.tsx')

/** A button that opens a menu. The code of the menu is loaded when the pointer or the focus reaches the button. */
function MenuButton({
  menu,
  className,
  children,
}: {
  menu: 'StoreMenu' | 'UserMenu'
  className: string
  children: ReactNode
}) {
  const [menus, load] = useImportOnDemand(loadMenus)
  const [isOpen, setOpen] = useState(false)
  const hasFocus = useRef(false)
  if (menus) {
    const Menu = menus[menu]
    return <Menu {...{ className, children, isOpen }} hasFocus={hasFocus.current} />
  }
  const open = () => {
    setOpen(true)
    load('opened')
  }
  return (
    <button
      type="button"
      className={className}
      aria-haspopup="menu"
      aria-expanded={false}
      onFocus={() => {
        hasFocus.current = true
        load()
      }}
      onBlur={() => {
        hasFocus.current = false
      }}
      onPointerEnter={() => load()}
      // The button may be replaced before the click, which would then be lost.
      onPointerDown={({ button, ctrlKey }) => button === 0 && !ctrlKey && open()}
      onClick={open}
    >
      {children}
    </button>
  )
}
