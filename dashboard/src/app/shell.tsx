import { Outlet, useRouterState } from '@tanstack/react-router'
import { DropdownMenu } from 'radix-ui'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { BASE, call } from '../api/call.ts'
import { useStore } from '../api/store.ts'
import { formatNumber } from '../kit/format.ts'
import { Link, useHref } from '../kit/link.tsx'
import { Toasts } from '../kit/toast.tsx'
import { chooseLanguage, fill, LANGUAGE_NAMES, type Language, language } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { shell } from '../text/shell.ts'
import { useCounts, useLive } from './live.ts'
import { type Counts, GROUPS } from './page-table.ts'
import { entriesFor } from './pages.ts'
import { Palette } from './palette.tsx'
import { changeSettings, useSettings } from './settings.ts'
import { Shortcuts } from './shortcuts.tsx'

/**
 * The frame of every page of a store: navigation, store switcher, search, and the counts of waiting
 * records.
 */
export function Shell() {
  useLive()
  const store = useStore()
  const [isPalette, setPalette] = useState(false)
  const [isMenu, setMenu] = useState(false)
  const main = useRef<HTMLElement>(null)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const first = useRef(pathname)
  // A new page takes the focus, as a loaded page would.
  useEffect(() => {
    if (first.current === pathname) return
    first.current = pathname
    setMenu(false)
    window.scrollTo(0, 0)
    main.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }, [pathname])

  return (
    <div className="shell" data-menu={isMenu}>
      <a className="skip" href="#content">
        {shell.skip}
      </a>
      <header className="top">
        <button
          type="button"
          className="menu-button"
          aria-expanded={isMenu}
          aria-controls="navigation"
          onClick={() => setMenu(!isMenu)}
        >
          {shell.menu}
        </button>
        <StoreSwitcher />
        <button type="button" className="search-button" onClick={() => setPalette(true)}>
          {shell.palette} <kbd>Ctrl K</kbd>
        </button>
        <UserMenu />
      </header>
      <Navigation />
      <main id="content" ref={main}>
        <Offline />
        {!store.livemode && <p className="test-banner">{shell.testBanner}</p>}
        <Outlet />
      </main>
      <Palette isOpen={isPalette} close={() => setPalette(false)} />
      <Shortcuts openPalette={() => setPalette(true)} />
      <Toasts />
    </div>
  )
}

function Offline() {
  const isOnline = useSyncExternalStore(
    (listener) => {
      addEventListener('online', listener)
      addEventListener('offline', listener)
      return () => {
        removeEventListener('online', listener)
        removeEventListener('offline', listener)
      }
    },
    () => navigator.onLine,
  )
  return isOnline ? null : (
    <p className="strip" role="status">
      {common.offline}
    </p>
  )
}

function Navigation() {
  const counts = useCounts()
  const { role } = useStore()
  const hrefOf = useHref()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const here = (path: string) => {
    const href = hrefOf(path === '/' ? '/' : `/${path}`).slice(BASE.length)
    const full = pathname.startsWith('/dashboard') ? pathname : `/dashboard${pathname}`
    return full === href || (path !== '/' && full.startsWith(`${href}/`))
  }
  return (
    <nav id="navigation" className="navigation" aria-label={shell.navigation}>
      {GROUPS.map((group) => {
        const entries = entriesFor(role).filter(({ nav }) => nav?.group === group)
        if (entries.length === 0) return null
        return (
          <div key={group}>
            {group !== 'home' && <p className="group">{shell[group]}</p>}
            <ul>
              {entries.map(({ path, nav }) => (
                <li key={path}>
                  <Link
                    to={path === '/' ? '/' : `/${path}`}
                    aria-current={here(path) ? 'page' : undefined}
                  >
                    {nav?.label}
                    <Waiting count={nav?.count && counts?.[nav.count as keyof Counts]} />
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        )
      })}
      <p className="nav-end">
        <a href={`${BASE}/docs`}>{shell.reference}</a>
      </p>
    </nav>
  )
}

const Waiting = ({ count = 0 }: { count: number | undefined }) =>
  count > 0 && (
    <span className="count">
      <span aria-hidden="true">{formatNumber(count)}</span>
      <span className="unseen"> {fill(shell.waiting, { n: formatNumber(count) })}</span>
    </span>
  )

function StoreSwitcher() {
  const store = useStore()
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="store-button">
        <span className="store-name">{store.name}</span>
        <span className={store.livemode ? 'state paid' : 'state waiting'}>
          {store.livemode ? common.live : common.testMode}
        </span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={4}>
          {store.me.stores.map(({ id, name, livemode }) => (
            <DropdownMenu.Item key={id} asChild>
              <a href={`${BASE}/dashboard/${id}`} aria-current={id === store.id}>
                {name}{' '}
                <span className={livemode ? 'state paid' : 'state waiting'}>
                  {livemode ? common.live : common.testMode}
                </span>
              </a>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const THEMES = [
  ['system', shell.themeSystem],
  ['light', shell.themeLight],
  ['dark', shell.themeDark],
] as const

function UserMenu() {
  const { me } = useStore()
  const { theme, compact, singleKeys } = useSettings()
  const signOut = async () => {
    await call('POST', '/sign-out')
    location.assign(`${BASE}/dashboard/sign-in`)
  }
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="user-button">
        {me.user.name || me.user.email}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
          <DropdownMenu.Label>{me.user.email}</DropdownMenu.Label>
          <DropdownMenu.Separator />
          <DropdownMenu.Label>{shell.theme}</DropdownMenu.Label>
          <DropdownMenu.RadioGroup
            value={theme}
            onValueChange={(value) => changeSettings({ theme: value as typeof theme })}
          >
            {THEMES.map(([value, label]) => (
              <DropdownMenu.RadioItem key={value} value={value}>
                <Mark /> {label}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator />
          <DropdownMenu.CheckboxItem
            checked={compact}
            onCheckedChange={(value) => changeSettings({ compact: value })}
          >
            <Mark /> {shell.compact}
          </DropdownMenu.CheckboxItem>
          <DropdownMenu.CheckboxItem
            checked={singleKeys}
            onCheckedChange={(value) => changeSettings({ singleKeys: value })}
          >
            <Mark /> {shell.singleKeys}
          </DropdownMenu.CheckboxItem>
          <DropdownMenu.Separator />
          <DropdownMenu.Label>{shell.language}</DropdownMenu.Label>
          <DropdownMenu.RadioGroup
            value={language}
            onValueChange={(value) => chooseLanguage(value as Language)}
          >
            {Object.entries(LANGUAGE_NAMES).map(([value, label]) => (
              <DropdownMenu.RadioItem key={value} value={value}>
                <Mark /> <span lang={value}>{label}</span>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator />
          <DropdownMenu.Item onSelect={signOut}>{shell.signOut}</DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

const Mark = () => (
  <span className="mark">
    <DropdownMenu.ItemIndicator>✓</DropdownMenu.ItemIndicator>
  </span>
)
