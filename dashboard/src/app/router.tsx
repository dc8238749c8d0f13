import { useQuery } from '@tanstack/react-query'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  useParams,
} from '@tanstack/react-router'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { BASE, call } from '../api/call.ts'
import { loadWhenOnline } from '../api/load-code.ts'
import { setPageUser } from '../api/page-user.ts'
import { currentPrompt, subscribePrompts } from '../api/prompts.ts'
import { type Me, openStore, StoreProvider } from '../api/store.ts'
import { humanize } from '../kit/format.ts'
import { Link, setPages } from '../kit/link.tsx'
import { Page } from '../kit/page.tsx'
import { Failure, Skeleton } from '../kit/states.tsx'
import { setTimeZone } from '../kit/zone.ts'
import { common } from '../text/common.ts'
import { shell } from '../text/shell.ts'
import { useDeferredImport } from './deferred-import.ts'
import { PAGES } from './pages.ts'
import { Shell } from './shell.tsx'
import { signOut } from './sign-out.ts'

/** The query of the signed-in user, which every page needs first. */
export const ME_QUERY = {
  queryKey: ['me'],
  async queryFn() {
    const me = await call<Me>('GET', '/me')
    setPageUser(me.user.id)
    return me
  },
}
const useMe = () => useQuery(ME_QUERY)

const importPrompts = () => import('./prompts.tsx')

/** Asks for a sign-in or a password when a request needs it, above the content of the page. */
function Prompts() {
  const prompt = useSyncExternalStore(subscribePrompts, currentPrompt)
  const [prompts, load] = useDeferredImport(importPrompts)
  useEffect(() => {
    if (prompt) load('opened')
  }, [prompt, load])
  return prompt && prompts ? <prompts.PromptDialog prompt={prompt} /> : null
}

const NotFound = () => (
  <Page title={shell.notFound}>
    <p>
      <Link to="/">{shell.home}</Link>
    </p>
  </Page>
)

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <Prompts />
    </>
  ),
  errorComponent: ({ error }) => (
    <div className="stores">
      <p>{shell.broken}</p>
      <Failure error={error} retry={() => location.reload()} />
    </div>
  ),
})

const stores = createRoute({ getParentRoute: () => root, path: '/', component: Stores })
const store = createRoute({
  getParentRoute: () => root,
  path: '$store',
  component: OpenStore,
  notFoundComponent: NotFound,
})
const pages = PAGES.map(({ path, load }) =>
  createRoute({
    getParentRoute: () => store,
    path,
    component: lazyRouteComponent(() => loadWhenOnline(load), 'Page'),
  }),
)

setPages(PAGES)

export const router = createRouter({
  routeTree: root.addChildren([stores, store.addChildren(pages)]),
  basepath: `${BASE}/dashboard`,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // The server itself answers 404 if the address names no store.
  defaultNotFoundComponent: () => <h1>{shell.notFound}</h1>,
  // Lists read their filters as text, so `?number=007` stays as it is.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString()
    return text && `?${text}`
  },
})

/** The side of the store in the address, with its shell. */
function OpenStore() {
  const { store: hash } = useParams({ strict: false }) as { store: string }
  const { data: me } = useMe()
  const side = me?.stores.find(({ id }) => id === hash)
  const context = useMemo(() => {
    if (!me || !side) return undefined
    setTimeZone(side.time_zone)
    return openStore(me, side)
  }, [me, side])
  // The user is read again from time to time. If that fails, the page stays, with its open forms.
  if (!me) return <UserNotLoaded />
  if (!context) return <ChooseStore me={me} lead={shell.noStore} />
  return (
    <StoreProvider value={context}>
      <Shell />
    </StoreProvider>
  )
}

function Stores() {
  const { data: me } = useMe()
  return me ? <ChooseStore me={me} /> : <UserNotLoaded />
}

function UserNotLoaded() {
  const { error, refetch } = useMe()
  return error ? <Failure error={error} retry={() => refetch()} /> : <Skeleton />
}

const ChooseStore = ({ me, lead }: { me: Me; lead?: string }) => (
  <main className="stores">
    <p className="brand">
      <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <path className="ground" d="M3 2h18v20l-3-2-3 2-3-2-3 2-3-2-3 2z" />
        <path className="letter" d="M7 6h10v3h-3.5v8h-3V9H7z" />
      </svg>{' '}
      Tradepost
    </p>
    <h1>{shell.chooseStore}</h1>
    {lead && <p role="alert">{lead}</p>}
    <ul className="card store-list">
      {me.stores.map(({ id, name, livemode, role }) => (
        <li key={id}>
          <a href={`${BASE}/dashboard/${id}`}>
            {name}{' '}
            <span className={livemode ? 'state paid' : 'state waiting'}>
              {livemode ? common.live : common.testMode}
            </span>
          </a>
          <span className="secondary-text">{humanize(role)}</span>
        </li>
      ))}
    </ul>
    <p className="secondary-text">
      {me.user.name || me.user.email}{' '}
      <button type="button" className="text-button" onClick={() => void signOut()}>
        {shell.signOut}
      </button>
    </p>
  </main>
)
